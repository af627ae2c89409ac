/** Feedback in one click or one sentence. */

import { ThumbsDown, ThumbsUp } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { post } from "../api/http";
import type { FeedbackRequest, FeedbackResult } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { axisName } from "./axis";
import { signed } from "./judgment";

export function GiveFeedback() {
  const [search] = useSearchParams();
  const turn = search.get("turn") ?? "";
  const [text, setText] = useState("");
  const [worth, setWorth] = useState<FeedbackResult | null>(null);
  const { running, error, run } = useAction();
  const give = async (opinion: Pick<FeedbackRequest, "feedback_text" | "rating">) => {
    setWorth(null);
    if (await run(async () => setWorth(await post<FeedbackResult>("/feedback", { episode_id: turn, ...opinion }))))
      setText("");
  };
  const say = (event: Event) => {
    event.preventDefault();
    if (text.trim()) void give({ feedback_text: text.trim() });
  };
  return (
    <Card title="Give feedback">
      <p class="soft small">
        {turn ? (
          <>
            About turn <Link href={`/timeline?turn=${turn}`}>{turn.slice(0, 8)}</Link>.{" "}
            <Link href="/learning">Give feedback on the latest action instead</Link>
          </>
        ) : (
          "About the robot's latest action."
        )}
      </p>
      <form class="opinion" onSubmit={say}>
        <button
          type="button"
          class="good"
          aria-label="That was good"
          disabled={running}
          onClick={() => give({ rating: 1 })}
        >
          <ThumbsUp size={20} aria-hidden="true" />
        </button>
        <button
          type="button"
          class="bad"
          aria-label="That was bad"
          disabled={running}
          onClick={() => give({ rating: -1 })}
        >
          <ThumbsDown size={20} aria-hidden="true" />
        </button>
        <input
          type="text"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="too far down, a bit slower, lovely …"
          aria-label="Feedback in your own words"
          maxLength={2000}
          autocomplete="off"
        />
        <button type="submit" class="primary" disabled={running || !text.trim()}>
          Send feedback
        </button>
      </form>
      <ProblemNotice error={error} />
      <p role="status">{worth && resultOf(worth)}</p>
    </Card>
  );
}

function resultOf({ status, judged, reward, confidence, axes, question }: FeedbackResult): string {
  if (status === "stopped") return "The robot was stopped. No feedback was stored.";
  const wants = axes.length ? `, requested change: ${axes.map(axisName).join(", ")}` : "";
  const sure = `${Math.round(confidence * 100)} % sure`;
  return `${judged ? plainName(judged) : "No action"}: ${signed(reward)}, ${sure}${wants}. ${question}`.trim();
}
