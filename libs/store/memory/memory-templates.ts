import { TemplateNotFound, templateOwner, type Base } from '../log-store.js';

/** Templates of MemoryLogStore, with the real ms at which a cluster was last created on each. */
export class MemoryTemplates {
  private readonly byKey = new Map<string, { readonly owner: string; readonly revision: number; usedAt: number }>();

  save(owner: string, revision: number): void {
    this.byKey.set(keyOf(owner, revision), { owner, revision, usedAt: Date.now() });
  }

  /** Notes that a cluster is created on it. Throws TemplateNotFound. */
  use({ template, revision }: Extract<Base, { readonly template: string }>): void {
    const found = this.byKey.get(keyOf(templateOwner(template), revision));
    if (!found) throw new TemplateNotFound(template);
    found.usedAt = Date.now();
  }

  /** Drops templates that were not used since and that no cluster is on; each goes to `drop`. How many. */
  dropUnused(
    unusedSince: number,
    limit: number,
    isInUse: (owner: string, revision: number) => boolean,
    drop: (owner: string, revision: number) => void,
  ): number {
    const unused = [...this.byKey].filter(([, { usedAt }]) => usedAt < unusedSince).slice(0, limit);
    let dropped = 0;
    for (const [key, template] of unused) {
      const { owner, revision } = template;
      if (isInUse(owner, revision)) {
        template.usedAt = Date.now();
        continue;
      }
      this.byKey.delete(key);
      drop(owner, revision);
      dropped++;
    }
    return dropped;
  }
}

const keyOf = (owner: string, revision: number): string => `${owner}@${revision}`;
