/** One memory entry with its source and a button to delete it. */

import { request } from "../api/http";
import type { Forgotten, MemoryEntry } from "../api/schemas";
import { useAction } from "../components/action";
import { ConfirmedButton } from "../components/confirmed_button";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { KIND_NAMES } from "./entry";

interface Props {
  entry: MemoryEntry;
  /** Called with the result. */
  forgotten: (sentence: string) => void;
}

export function EntryCard({ entry, forgotten }: Props) {
  const { running, error, run } = useAction();
  const forget = () =>
    run(async () => {
      const answer = await request("DELETE", `/memory/${entry.id}`);
      const { erased } = (await answer.json()) as Forgotten;
      forgotten(
        erased
          ? "Deleted from memory and disk."
          : "Deleted from memory. The disk is cleared when the database is next opened.",
      );
    });
  return (
    <li class="entry">
      <div class="entry-text">
        {entry.key && <strong class="entry-key">{plainName(entry.key)}</strong>}
        <p>{entry.text}</p>
        <p class="soft small row">
          <Tag>{KIND_NAMES[entry.kind]}</Tag>
          <When stamp={entry.created} />
          {entry.source && <span>{entry.source}</span>}
          {entry.participants.length > 0 && <span>with {entry.participants.join(", ")}</span>}
        </p>
        <ProblemNotice error={error} />
      </div>
      {isOfAFile(entry) ? (
        <span class="soft small">deleted with its file</span>
      ) : (
        <ConfirmedButton
          label={`Delete ${entry.key || entry.text.slice(0, 60)}`}
          question="Delete this memory?"
          consequence={`“${entry.text.slice(0, 200)}” is erased from the disk. Copies in exports and in the conversation remain.`}
          act="Delete"
          onConfirm={forget}
          disabled={running}
        >
          Delete
        </ConfirmedButton>
      )}
    </li>
  );
}

/** Whether an entry is a passage of a file; it can be deleted only with the file. */
function isOfAFile({ kind }: MemoryEntry): boolean {
  return kind === "note" || kind === "document";
}
