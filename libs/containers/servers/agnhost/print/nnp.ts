import { defineJob } from '../command/command.js';

/** Says whose rights it has. Models test/images/nonewprivs/nnp.go. */
export const nnp = defineJob(
  () => null,
  ({ sys, out }) => {
    out(`Effective uid: ${sys.user}\n`);
    return 0;
  },
);
