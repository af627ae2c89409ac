import numpy as np
from geometry_msgs.msg import Pose
from reachy_agent_msgs.msg import AudioChunk, Reply, SceneObjects
from sensor_msgs.msg import CompressedImage, JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.camera.film_recorder import SOUND_RATE, FilmRecorder
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, SENSOR, STANDARD
from reachy_agent_ros.vision.camera import jpeg
from support.nodes.node_process import Ros
from support.waiting import PATIENCE, wait_until


def test_film_frame_contains_latest_robot_state(ros: Ros) -> None:
    joints = ros.node.create_publisher(JointState, names.JOINT_STATES, STANDARD)
    objects = ros.node.create_publisher(SceneObjects, names.SCENE_OBJECTS, STANDARD)
    images = ros.node.create_publisher(CompressedImage, names.IMAGE, SENSOR)
    replies = ros.node.create_publisher(Reply, names.REPLY, STANDARD)
    sounds = ros.node.create_publisher(AudioChunk, names.AUDIO_PLAYBACK, AUDIO)
    recorder = FilmRecorder(ros.node)
    recorder.entitle("it dances")

    def complete() -> bool:
        joints.publish(JointState(name=["yaw_body"], position=[0.5]))
        objects.publish(SceneObjects(names=["duck"], poses=[Pose()]))
        replies.publish(Reply(text="I dance.", is_final=True))
        sounds.publish(AudioChunk(sample_rate=SOUND_RATE, channels=1, stream="voice", data=[1000] * 2400))
        images.publish(CompressedImage(format="jpeg", data=jpeg(np.full((48, 64, 3), 200, np.uint8))))
        moments = recorder.moments()
        return bool(moments and moments[-1].objects and moments[-1].eye is not None and moments[-1].answer)

    wait_until(complete, "a moment with joints, objects and a picture")
    recorder.close()
    moment = recorder.moments()[-1]
    assert moment.joints == {"yaw_body": 0.5}
    assert set(moment.objects) == {"duck"}
    assert moment.eye is not None
    assert moment.eye.shape == (48, 64, 3)
    assert (moment.caption, moment.answer) == ("it dances", "I dance.")
    assert recorder.sound.mixed(PATIENCE).max() == 1000
