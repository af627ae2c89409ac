import { Link, useLocation } from "wouter-preact";
import { VIEWS } from "./views";

export function Navigation() {
  const [location] = useLocation();
  return (
    <nav class="navigation" aria-label="Views">
      {VIEWS.map(({ path, name, icon: Icon }) => (
        <Link key={path} href={path} aria-current={location.startsWith(path) ? "page" : undefined}>
          <Icon aria-hidden="true" size={20} />
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  );
}
