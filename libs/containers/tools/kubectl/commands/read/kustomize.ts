import { fetchOrNothing } from '../../discovery/manifest.js';
import { buildKustomization } from '../../kustomize/build.js';
import { formatYaml } from '../../output/yaml.js';
import { KubectlFailure } from '../../session/failure.js';
import { type Session, writeText } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';

/** `kubectl kustomize DIR`. Models sigs.k8s.io/kustomize/kustomize/v5/commands/build. */
const kustomize: Command = {
  flags: [
    ...['o,output:', 'load-restrictor:', 'enable-helm', 'helm-command:', 'enable-alpha-plugins', 'reorder:'],
    ...['enable-managedby-label', 'as-current-user', 'e,env:', 'mount:', 'network', 'network-name:'],
  ],
  run(session) {
    const { args, flags, sys } = session;
    if (args.length > 1) throw new KubectlFailure('specify one path to kustomization.yaml');
    for (const name of ['enable-helm', 'enable-alpha-plugins', 'enable-managedby-label'])
      if (flags.isOn(name)) throw new KubectlFailure(`--${name} is not simulated`);
    const reorder = flags.value('reorder') || 'legacy';
    if (reorder !== 'legacy' && reorder !== 'none')
      throw new KubectlFailure(`illegal flag value --reorder ${reorder}; legal values: legacy,none`);
    const warn = (line: string): void => session.err(`${line}\n`);
    const objects = buildKustomization(sys, args[0] ?? '.', {
      isSorted: reorder === 'legacy',
      warn,
      fetch: (url) => fetchOrNothing(session, url),
    });
    print(session, objects.map((object) => formatYaml(object)).join('---\n'));
  },
};

function print(session: Session, text: string): void {
  const path = session.flags.value('output');
  if (path === '') session.out(text);
  else writeText(session, path, text);
}

export const group: CommandGroup = { commands: { kustomize } };
