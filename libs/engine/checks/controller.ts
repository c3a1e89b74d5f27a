import { Checks as Kind } from '../kinds/index.js';
import type { Check } from '../kinds/terrarium/check/kind.js';
import { defineController, type Controller, type Result } from '../runtime/controller.js';
import type { Checks } from './checks.js';

/**
 * Looks at checks when their time comes: at deadlines, and in turns at what no change tells of. What changes tell is
 * judged where they are made. Terrarium's own.
 */
export const checkController = (checks: () => Pick<Checks, 'wake'> | undefined): Controller =>
  defineController<Check>({
    name: 'check',
    component: 'terrarium',
    actor: 'system:terrarium',
    for: Kind,
    reconcile({ client }, key): Result | void {
      const check = client.get(Kind, key);
      const requeueAfter = check && checks()?.wake(check.metadata.uid ?? '');
      if (requeueAfter !== undefined) return { requeueAfter };
    },
  });
