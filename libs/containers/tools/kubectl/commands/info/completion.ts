import { KubectlFailure, UsageFailure } from '../../session/failure.js';
import type { Command, CommandGroup } from '../command.js';

/** A script for each shell that can be sourced, as the real one: the words themselves are not offered. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: [
    '# bash completion V2 for kubectl                             -*- shell-script -*-\n',
    '__start_kubectl()\n{\n    COMPREPLY=()\n}\n',
    'complete -o default -F __start_kubectl kubectl\n',
  ].join('\n'),
  zsh: '#compdef kubectl\ncompdef _kubectl kubectl\n\n_kubectl()\n{\n    return 0\n}\n',
  fish: '# fish completion for kubectl                              -*- shell-script -*-\n\ncomplete -c kubectl -e\n',
  powershell: '# powershell completion for kubectl                        -*- shell-script -*-\n',
};

/** Models k8s.io/kubectl/pkg/cmd/completion. */
const completion: Command = {
  flags: [],
  run(session) {
    const [shell, ...more] = session.args;
    if (shell === undefined) throw new UsageFailure('Shell not specified.', 'kubectl completion');
    if (more.length > 0)
      throw new UsageFailure('Too many arguments. Expected only the shell type.', 'kubectl completion');
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new KubectlFailure(`Unsupported shell type ${JSON.stringify(shell)}.`);
    session.out(script);
  },
};

export const group: CommandGroup = { commands: { completion } };
