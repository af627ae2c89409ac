/** A judgment in one click or one sentence. */

import { ThumbsDown, ThumbsUp } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { post } from "../api/http";
import type { FeedbackRequest, FeedbackResult } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ProblemNotice } from "../components/problem_notice";
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
    <Card title="Say what you think">
      <p class="soft small">
        {turn ? (
          <>
            About the turn <Link href={`/timeline?turn=${turn}`}>{turn.slice(0, 8)}</Link>.{" "}
            <Link href="/learning">About the latest instead</Link>
          </>
        ) : (
          "About what the robot did last."
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
          aria-label="In your own words"
          maxLength={2000}
          autocomplete="off"
        />
        <button type="submit" class="primary" disabled={running || !text.trim()}>
          Say it
        </button>
      </form>
      <ProblemNotice error={error} />
      <p role="status">{worth && toldOf(worth)}</p>
    </Card>
  );
}

function toldOf({ status, judged, reward, confidence, axes, question }: FeedbackResult): string {
  if (status === "stopped") return "The robot was stopped; there was nothing to judge.";
  const wants = axes.length ? `, wants ${axes.join(", ")}` : "";
  const sure = `${Math.round(confidence * 100)} % sure`;
  return `${judged || "Nothing in particular"}: ${signed(reward)}, ${sure}${wants}. ${question}`.trim();
}
