import { findObjects } from '../../discovery/targets.js';
import { FILES, PRINT } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';

interface Condition {
  readonly type: string;
  readonly [field: string]: unknown;
}

const RESOURCE = 'certificatesigningrequests.certificates.k8s.io';

/** Models k8s.io/kubectl/pkg/cmd/certificates: a condition that the signers go by. */
const deciding = (type: 'Approved' | 'Denied', verb: 'approve' | 'deny', said: 'approved' | 'denied'): Command => ({
  flags: [...FILES, ...PRINT, 'force'],
  run(session) {
    const { args, flags } = session;
    if (args.length === 0 && !flags.has('filename'))
      throw new KubectlFailure('one or more CSRs must be specified as <name> or -f <filename>');
    const names = args.map((name) => (name.includes('/') ? name : `${RESOURCE}/${name}`));
    for (const { object, name, path, resource } of findObjects(session, names)) {
      const { conditions = [], ...status } = (object['status'] ?? {}) as { conditions?: readonly Condition[] };
      const other = conditions.find((one) => one.type === (type === 'Approved' ? 'Denied' : 'Approved'));
      if (other) throw new KubectlFailure(`certificate signing request "${name}" is already ${other.type}`);
      const isDecided = conditions.some((one) => one.type === type);
      const after = isDecided
        ? object
        : session.put(`${path}/approval`, {
            ...object,
            status: { ...status, conditions: [...conditions, conditionOf(session, type, verb, said)] },
          });
      if (flags.has('output')) session.out(printObject(session, readFormat(session), after, resource));
      else session.out(`${RESOURCE.replace('requests', 'request')}/${name} ${said}\n`);
    }
  },
});

const conditionOf = ({ now }: Session, type: string, verb: string, said: string): Condition => ({
  ...{ type, status: 'True', reason: `Kubectl${verb === 'approve' ? 'Approve' : 'Deny'}` },
  ...{ message: `This CSR was ${said} by kubectl certificate ${verb}.` },
  lastUpdateTime: new Date(now).toISOString().replace(/\.\d+/, ''),
});

export const group: CommandGroup = {
  commands: {
    'certificate approve': deciding('Approved', 'approve', 'approved'),
    'certificate deny': deciding('Denied', 'deny', 'denied'),
  },
};
