/** Every view of the console: one line each. */

import type { ReadonlySignal } from "@preact/signals";
import { Activity, Eye, MessageCircle, ShieldQuestionMark, type LucideIcon } from "lucide-preact";
import type { ComponentType } from "preact";
import { waiting } from "../approvals/approvals";
import { Approvals } from "../approvals/approvals_view";
import { Health } from "../health/health_view";
import { Talk } from "../talk/talk";
import { Watch } from "../watch/watch";

export interface View {
  path: string;
  name: string;
  icon: LucideIcon;
  component: ComponentType;
  /** How much waits there for a person. */
  badge?: ReadonlySignal<number>;
}

export const VIEWS: View[] = [
  { path: "/talk", name: "Talk", icon: MessageCircle, component: Talk },
  { path: "/watch", name: "Watch", icon: Eye, component: Watch },
  { path: "/approvals", name: "Approvals", icon: ShieldQuestionMark, component: Approvals, badge: waiting },
  { path: "/health", name: "Health", icon: Activity, component: Health },
];
