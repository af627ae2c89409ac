/** Search and delete memory entries. */

import { useEffect, useState } from "preact/hooks";
import type { MemoryEntryList } from "../api/schemas";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { View } from "../components/view";
import { KINDS, type Kind, pathFor } from "./entry";
import { EntryCard } from "./entry_card";
import "./memory.css";

/** ms; time without typing before a search. */
const TYPING = 250;

export function Memory() {
  const [words, setWords] = useState("");
  const [query, setQuery] = useState("");
  const [kinds, setKinds] = useState<ReadonlySet<Kind>>(new Set());
  const [told, setTold] = useState("");
  const entries = useResource<MemoryEntryList>(pathFor(query, kinds), "reply");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(words), TYPING);
    return () => clearTimeout(timer);
  }, [words]);
  const forgotten = (sentence: string) => {
    setTold(sentence);
    void entries.reload();
  };
  return (
    <View title="Memory">
      <div class="memory-search" role="search">
        <input
          type="search"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
          placeholder="Search what the robot remembers"
          aria-label="Search what the robot remembers"
        />
        <Kinds chosen={kinds} choose={setKinds} />
      </div>
      <p class="soft" role="status">
        {told}
      </p>
      <Loaded of={entries}>
        {({ entries }) =>
          entries.length ? (
            <ul class="entries">
              {entries.map((entry) => (
                <EntryCard key={entry.id} entry={entry} forgotten={forgotten} />
              ))}
            </ul>
          ) : (
            <Nothing sought={query !== "" || kinds.size > 0} />
          )
        }
      </Loaded>
    </View>
  );
}

function Kinds({ chosen, choose }: { chosen: ReadonlySet<Kind>; choose: (kinds: ReadonlySet<Kind>) => void }) {
  return (
    <div class="row" role="group" aria-label="Kinds">
      {(Object.keys(KINDS) as Kind[]).map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen.has(kind)} onClick={() => choose(toggled(chosen, kind))}>
          {KINDS[kind]}
        </button>
      ))}
    </div>
  );
}

function toggled(kinds: ReadonlySet<Kind>, kind: Kind): ReadonlySet<Kind> {
  return new Set(kinds.has(kind) ? [...kinds].filter((one) => one !== kind) : [...kinds, kind]);
}

function Nothing({ sought }: { sought: boolean }) {
  if (sought) return <Empty title="No matching memories">Search for other words or all kinds.</Empty>;
  return (
    <Empty title="No memories yet">
      Tell the robot something about you (“remember that my dog is called Rex”), or run{" "}
      <code>reachy-agent memory remember "favorite color" ultramarine</code>.
    </Empty>
  );
}
