/** Camera picture and 3D view of the robot. */

import { Card } from "../components/card";
import { View } from "../components/view";
import { CameraView } from "./camera_view";
import { RobotView } from "./robot_view";
import "./watch.css";

export function Watch() {
  return (
    <View title="Watch">
      <div class="watch">
        <Card title="Camera">
          <CameraView />
        </Card>
        <Card title="Robot">
          <RobotView />
        </Card>
      </div>
    </View>
  );
}
