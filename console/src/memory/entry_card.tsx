/** One thing that is remembered, where it comes from, and forgetting it. */

import { request } from "../api/http";
import type { Forgotten, MemoryEntry } from "../api/schemas";
import { useAction } from "../components/action";
import { ConfirmedButton } from "../components/confirmed_button";
import { ProblemNotice } from "../components/problem_notice";
import { Tag } from "../components/tag";
import { When } from "../components/when";

interface Props {
  entry: MemoryEntry;
  /** Is told what became of it. */
  forgotten: (sentence: string) => void;
}

export function EntryCard({ entry, forgotten }: Props) {
  const { running, error, run } = useAction();
  const forget = () =>
    run(async () => {
      const answer = await request("DELETE", `/memory/${entry.id}`);
      const { erased } = (await answer.json()) as Forgotten;
      forgotten(
        erased ? "Forgotten, and gone from the disk." : "Forgotten; its bytes go when the file is opened next.",
      );
    });
  return (
    <li class="entry">
      <div class="entry-text">
        {entry.key && <strong class="entry-key">{entry.key}</strong>}
        <p>{entry.text}</p>
        <p class="soft small row">
          <Tag>{entry.kind}</Tag>
          <When stamp={entry.created} />
          {entry.source && <span>{entry.source}</span>}
          {entry.participants.length > 0 && <span>with {entry.participants.join(", ")}</span>}
        </p>
        <ProblemNotice error={error} />
      </div>
      {isOfAFile(entry) ? (
        <span class="soft small">goes with its file</span>
      ) : (
        <ConfirmedButton
          label={`Forget ${entry.key || entry.text.slice(0, 60)}`}
          question="Forget this?"
          consequence={`“${entry.text.slice(0, 200)}” is erased from the disk. Copies elsewhere stay: exports, the conversation it was said in.`}
          act="Forget"
          onConfirm={forget}
          disabled={running}
        >
          Forget
        </ConfirmedButton>
      )}
    </li>
  );
}

/** A passage cannot be forgotten while the file still says it. */
function isOfAFile({ kind }: MemoryEntry): boolean {
  return kind === "note" || kind === "document";
}
