/** Every view of the console: one line each. */

import { MessageCircle, type LucideIcon } from "lucide-preact";
import type { ComponentType } from "preact";
import { Talk } from "../talk/talk";

export interface View {
  path: string;
  name: string;
  icon: LucideIcon;
  component: ComponentType;
}

export const VIEWS: View[] = [{ path: "/talk", name: "Talk", icon: MessageCircle, component: Talk }];
