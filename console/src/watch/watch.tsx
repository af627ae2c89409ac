/** What the robot sees, and how it moves. */

import { Card } from "../components/card";
import { View } from "../components/view";
import { CameraView } from "./camera_view";
import { RobotView } from "./robot_view";
import "./watch.css";

export function Watch() {
  return (
    <View title="Watch">
      <div class="watch">
        <Card title="What it sees">
          <CameraView />
        </Card>
        <Card title="How it moves">
          <RobotView />
        </Card>
      </div>
    </View>
  );
}
