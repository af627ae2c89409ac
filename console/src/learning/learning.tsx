/** How the robot gets better from what people say and show. */

import { View } from "../components/view";
import { Demonstrations } from "./demonstrations";
import { GiveFeedback } from "./give_feedback";
import { Judgments } from "./judgments";
import { Policies } from "./policies";
import { RewardCurve } from "./reward_curve";
import { Training } from "./training";
import "./learning.css";

export function Learning() {
  return (
    <View title="Learning">
      <div class="two-columns">
        <div>
          <RewardCurve />
          <Policies />
        </div>
        <div>
          <GiveFeedback />
          <Judgments />
        </div>
      </div>
      <div class="two-columns">
        <Training />
        <Demonstrations />
      </div>
    </View>
  );
}
