/** Links to the views. On a phone the first ones are at the bottom, the others under "More". */

import { Ellipsis } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { VIEWS, type View } from "./views";

/** Number of views that a phone shows next to "More". */
const IN_REACH = 4;

export function Navigation() {
  const [location] = useLocation();
  const more = useRef<HTMLDetailsElement>(null);
  useEffect(() => more.current?.removeAttribute("open"), [location]);
  const hidden = VIEWS.slice(IN_REACH);
  const inside = hidden.some((view) => location.startsWith(view.path));
  return (
    <nav class="navigation" aria-label="Views">
      {VIEWS.map((view, at) => (
        <Entry key={view.path} view={view} location={location} class={at < IN_REACH ? "" : "wide-only"} />
      ))}
      {hidden.length > 0 && (
        <details ref={more} class="more">
          <summary class={inside ? "here" : ""}>
            <Ellipsis aria-hidden="true" size={20} />
            <span>More</span>
            <Count of={hidden.reduce((sum, view) => sum + (view.badge?.value ?? 0), 0)} />
          </summary>
          <div class="more-views">
            {hidden.map((view) => (
              <Entry key={view.path} view={view} location={location} class="" />
            ))}
          </div>
        </details>
      )}
    </nav>
  );
}

function Entry({ view, location, class: kind }: { view: View; location: string; class: string }) {
  const Icon = view.icon;
  return (
    <Link href={view.path} class={kind} aria-current={location.startsWith(view.path) ? "page" : undefined}>
      <Icon aria-hidden="true" size={20} />
      <span>{view.name}</span>
      <Count of={view.badge?.value ?? 0} />
    </Link>
  );
}

function Count({ of: count }: { of: number }) {
  if (!count) return null;
  return (
    <span class="count">
      {count} <span class="unseen">waiting</span>
    </span>
  );
}
