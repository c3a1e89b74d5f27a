import { expect, test } from '@jest/globals';
import { foldedCommandsOf } from './folded-commands.js';

const fold = (...lines: string[]): string =>
  ['Text', '<details>', '<summary>Solution</summary>', ...lines, '</details>'].join('\n');
const fenced = (info: string, ...lines: string[]): string[] => [`\`\`\`${info}`, ...lines, '```'];

const POD = ['apiVersion: v1', 'kind: Pod'];
const POD_TEXT = 'apiVersion: v1\nkind: Pod\nMANIFEST';

test.each<[string, string, string[]]>([
  ['nothing outside of a fold', fenced('bash', 'ls').join('\n'), []],
  ['commands in a fold', fold(...fenced('bash', 'kubectl get pods', 'ls')), ['kubectl get pods\nls']],
  ['of all folds, in order', `${fold(...fenced('', 'a'))}\n${fold(...fenced('sh', 'b'))}`, ['a', 'b']],
  ['indented ones', fold('  ```bash', '  a', '    b', '  ```'), ['a\n  b']],
  ['with their marks', fold('```', 'a', '```{{copy}}'), ['a']],
  ['no text of another language', fold(...fenced('yaml', 'a: 1'), ...fenced('bash', 'ls')), ['ls']],
  ['nothing that is printed', fold(...fenced('', '<html>', '</html>'), ...fenced('bash', 'ls')), ['ls']],
  ['a manifest is applied', fold(...fenced('yaml', ...POD)), [`kubectl apply -f - <<'MANIFEST'\n${POD_TEXT}`]],
  ['one that is marked as a script', fold(...fenced('bash', ...POD)), [`kubectl apply -f - <<'MANIFEST'\n${POD_TEXT}`]],
  [
    'under the name that a command has for it',
    fold(...fenced('yaml', '# the pod', ...POD), ...fenced('bash', 'kubectl apply -f pod.yaml')),
    [`cat > pod.yaml <<'MANIFEST'\n# the pod\n${POD_TEXT}`, 'kubectl apply -f pod.yaml'],
  ],
  [
    'under the name of the file that is opened for it',
    fold(...fenced('', 'cd /tmp', 'vim pod.yml'), ...fenced('yaml', ...POD), ...fenced('', 'k create -f pod.yml')),
    ['cd /tmp', `cat > pod.yml <<'MANIFEST'\n${POD_TEXT}`, 'k create -f pod.yml'],
  ],
  [
    'two of them have two names',
    fold(...fenced('', ...POD), ...fenced('', ...POD), ...fenced('', 'k apply -f a.yaml -f b.yaml')),
    [`cat > a.yaml <<'MANIFEST'\n${POD_TEXT}`, `cat > b.yaml <<'MANIFEST'\n${POD_TEXT}`, 'k apply -f a.yaml -f b.yaml'],
  ],
  [
    'a file that a command makes is not meant',
    fold(...fenced('', ...POD), ...fenced('', 'k get pod a -o yaml > a.yaml', 'k replace -f a.yaml')),
    [`kubectl apply -f - <<'MANIFEST'\n${POD_TEXT}`, 'k get pod a -o yaml > a.yaml\nk replace -f a.yaml'],
  ],
  ['none when an editor is opened', fold(...fenced('bash', 'kubectl edit deploy web'), ...fenced('bash', 'ls')), []],
  ['none when something is to be filled in', fold(...fenced('bash', 'kubectl exec -it <pod-name> -- ls')), []],
  ['here-documents are no such thing', fold(...fenced('bash', 'cat <<EOF > a', 'x', 'EOF')), ['cat <<EOF > a\nx\nEOF']],
  ['a fold without an end', '<details>\n```\nls\n```', []],
])('%s', (_, text, commands) => expect(foldedCommandsOf(text)).toEqual(commands));
