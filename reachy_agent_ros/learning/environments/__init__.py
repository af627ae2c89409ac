"""Gymnasium environments for robot tasks, each with a scripted expert.

The robot is simulated with kinematics alone, or with physics (MuJoCo).
"""
