import { expect, test } from '@jest/globals';
import { foldedCommandsOf } from './marks.js';

const fold = (...lines: string[]): string =>
  ['Text', '<details>', '<summary>Solution</summary>', ...lines, '</details>'].join('\n');
const fenced = (info: string, ...lines: string[]): string[] => [`\`\`\`${info}`, ...lines, '```'];

test.each<[string, string, string[]]>([
  ['nothing outside of a fold', fenced('bash', 'ls').join('\n'), []],
  ['commands in a fold', fold(...fenced('bash', 'kubectl get pods', 'ls')), ['kubectl get pods\nls']],
  ['of all folds, in order', `${fold(...fenced('', 'a'))}\n${fold(...fenced('sh', 'b'))}`, ['a', 'b']],
  ['indented ones', fold('  ```bash', '  a', '    b', '  ```'), ['a\n  b']],
  ['with their marks', fold('```', 'a', '```{{copy}}'), ['a']],
  [
    'no manifests',
    fold(...fenced('yaml', 'kind: Pod'), ...fenced('bash', 'kubectl apply -f pod.yaml')),
    ['kubectl apply -f pod.yaml'],
  ],
  ['none when an editor is opened', fold(...fenced('bash', 'kubectl edit deploy web'), ...fenced('bash', 'ls')), []],
  ['none when something is to be filled in', fold(...fenced('bash', 'kubectl exec -it <pod-name> -- ls')), []],
  ['here-documents are no such thing', fold(...fenced('bash', 'cat <<EOF > a', 'x', 'EOF')), ['cat <<EOF > a\nx\nEOF']],
  ['a fold without an end', '<details>\n```\nls\n```', []],
])('%s', (_, text, commands) => expect(foldedCommandsOf(text)).toEqual(commands));
