/** Settings of the robot and of this browser. */

import { View } from "../components/view";
import { About } from "./about";
import { Conversations } from "./conversations";
import { Personas } from "./personas";
import { PlanReview } from "./plan_review";
import { RobotSettings } from "./robot_settings";
import { ThisBrowser } from "./this_browser";
import "./settings.css";

export function Settings() {
  return (
    <View title="Personas and settings">
      <Personas />
      <Conversations />
      <PlanReview />
      <RobotSettings />
      <ThisBrowser />
      <About />
    </View>
  );
}
