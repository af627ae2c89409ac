/** Every view of the console: one line each. */

import type { ReadonlySignal } from "@preact/signals";
import {
  Activity,
  AlarmClock,
  Brain,
  ChartGantt,
  Eye,
  GraduationCap,
  Hammer,
  MessageCircle,
  Settings as Cog,
  ShieldQuestionMark,
  type LucideIcon,
} from "lucide-preact";
import type { ComponentType } from "preact";
import { waiting } from "../approvals/approvals";
import { Approvals } from "../approvals/approvals_view";
import { Health } from "../health/health_view";
import { Learning } from "../learning/learning";
import { Memory } from "../memory/memory";
import { Schedule } from "../schedule/schedule_view";
import { Settings } from "../settings/settings";
import { Talk } from "../talk/talk";
import { Timeline } from "../timeline/timeline";
import { Watch } from "../watch/watch";
import { Workshop } from "../workshop/workshop";

export interface View {
  path: string;
  name: string;
  icon: LucideIcon;
  component: ComponentType;
  /** Number of entries that wait for a person. */
  badge?: ReadonlySignal<number>;
}

export const VIEWS: View[] = [
  { path: "/talk", name: "Talk", icon: MessageCircle, component: Talk },
  { path: "/watch", name: "Watch", icon: Eye, component: Watch },
  { path: "/approvals", name: "Approvals", icon: ShieldQuestionMark, component: Approvals, badge: waiting },
  { path: "/timeline", name: "Timeline", icon: ChartGantt, component: Timeline },
  { path: "/learning", name: "Learning", icon: GraduationCap, component: Learning },
  { path: "/workshop", name: "Workshop", icon: Hammer, component: Workshop },
  { path: "/memory", name: "Memory", icon: Brain, component: Memory },
  { path: "/schedule", name: "Schedule", icon: AlarmClock, component: Schedule },
  { path: "/health", name: "Health", icon: Activity, component: Health },
  { path: "/settings", name: "Settings", icon: Cog, component: Settings },
];
