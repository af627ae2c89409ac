/** Names of skills, actions and figures as words: `look_at` as "look at". */

export const plainName = (name: string) => name.replaceAll("_", " ");
