/** Feedback on a reply in one click or one sentence. */

import { ThumbsDown, ThumbsUp } from "lucide-preact";
import { useState } from "preact/hooks";
import { post } from "../api/http";
import type { FeedbackRequest, FeedbackResult } from "../api/schemas";
import { useAction } from "../components/action";

export function Judgment({ turn }: { turn: string }) {
  const [given, setGiven] = useState<FeedbackResult | null>(null);
  const [asking, setAsking] = useState(false);
  const [words, setWords] = useState("");
  const { running, error, run } = useAction();
  const give = (feedback: Pick<FeedbackRequest, "feedback_text" | "rating">) =>
    run(async () => {
      setGiven(await post<FeedbackResult>("/feedback", { episode_id: turn, ...feedback }));
      setAsking((feedback.rating ?? 1) < 0);
      setWords("");
    });
  const tell = (event: Event) => {
    event.preventDefault();
    if (words.trim()) void give({ feedback_text: words.trim() }).then((well) => well && setAsking(false));
  };
  return (
    <div class="judgment">
      <button type="button" class="thumb" aria-label="Well done" disabled={running} onClick={() => give({ rating: 1 })}>
        <ThumbsUp aria-hidden="true" size={16} />
      </button>
      <button
        type="button"
        class="thumb"
        aria-label="Not well done"
        disabled={running}
        onClick={() => give({ rating: -1 })}
      >
        <ThumbsDown aria-hidden="true" size={16} />
      </button>
      {!asking && (
        <button type="button" class="thumb" disabled={running} onClick={() => setAsking(true)}>
          Explain
        </button>
      )}
      <span class="small soft" role="status">
        {error ? error.message : given && thanks(given)}
      </span>
      {asking && (
        <form class="say-how" onSubmit={tell}>
          <input
            type="text"
            aria-label="What should change?"
            placeholder="What should change?"
            value={words}
            maxLength={1000}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="submit" disabled={running || !words.trim()}>
            Send feedback
          </button>
        </form>
      )}
    </div>
  );
}

function thanks(answer: FeedbackResult): string {
  if (answer.question) return answer.question;
  return answer.judged ? `Noted for ${answer.judged.replaceAll("_", " ")}.` : "Noted.";
}
