import { expect, test } from '@jest/globals';
import { endWatching } from './endless-commands.js';

test.each([
  ['kubectl get pods -w', 'timeout 10 kubectl get pods -w'],
  ['k get pods --watch -n shop', 'timeout 10 kubectl get pods --watch -n shop'],
  ['kubectl -n shop logs -f web | head', 'timeout 10 kubectl -n shop logs -f web | head'],
  ['kubectl logs web --follow', 'timeout 10 kubectl logs web --follow'],
  ['kubectl port-forward svc/web 8080:80', 'timeout 10 kubectl port-forward svc/web 8080:80'],
  ['watch kubectl get pods', 'timeout 10 watch kubectl get pods'],
  ['tail -n 5 -f /var/log/syslog', 'timeout 10 tail -n 5 -f /var/log/syslog'],
  ['journalctl -u kubelet -f', 'timeout 10 journalctl -u kubelet -f'],
  ['kubectl get pods\n  kubectl get pods -w', 'kubectl get pods\n  timeout 10 kubectl get pods -w'],
])('%j ends by itself: %j', (command, ending) => expect(endWatching(command)).toBe(ending));

test.each([
  'kubectl get pods -o wide',
  'kubectl apply -f web.yaml',
  'kubectl get pod -f web.yaml',
  'kubectl port-forward svc/web 8080:80 &',
  'kubectl logs web',
  'kubectl exec web -- tail -f /dev/null',
  'kubectl get pods; echo -w',
  'tail -n 5 /var/log/syslog',
])('%j stays as it is', (command) => expect(endWatching(command)).toBe(command));
