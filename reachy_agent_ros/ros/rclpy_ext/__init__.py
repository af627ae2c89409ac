"""What the nodes share: their base class, calls, actions, heartbeats, and workarounds for rclpy and Fast DDS."""
