import { expect, test } from '@jest/globals';
import { isSelfContained } from './self-contained.js';

test.each<[string, boolean]>([
  ['echo working; sleep 5; echo done', true],
  ['date; echo Hello from the Kubernetes cluster', true],
  ['sleep 3 && exit 2 || echo "it failed"', true],
  ["printf '%s\\n' a b; false", true],
  ['for i in 1 2 3; do echo "step $i of ${i}"; sleep $i; done', true],
  ['for i in $(seq 1 5); do echo $i; sleep 1; done', true],
  ['for i in $(seq 1 5); do for j in a b; do echo $i$j; done; done', false],
  ['for i in $(seq 1 1000); do echo $i; done', false],
  ['date -u +%H:%M', true],
  ['date -f /etc/hosts', false],
  ['/bin/sleep 5', false],
  ['echo $HOSTNAME', false],
  ['echo $RANDOM', false],
  ['for i in 1 2; do echo ${i:-x}; done', false],
  ['for i in 1 2; do sleep 1; done; echo $i', false],
  ['for i in $(seq 1 $N); do sleep 1; done', false],
  ['for i in $(cat /data/x); do sleep 1; done', false],
  ['for i; do sleep 1; done', false],
  ['echo *', false],
  ['echo $(date)', false],
  ['sleep $(date +%S)', false],
  ['echo x > /data/x', false],
  ['echo x | cat', false],
  ['sleep 5 &', false],
  ['x=5; sleep 5', false],
  ['TZ=CET date', false],
  ['wget -q -O- http://web', false],
  ['cat /etc/hosts', false],
  ['"$CMD" 5', false],
  ['if true; then sleep 5; fi', false],
  ['while true; do sleep 5; done', false],
  ['sleep() { exit 1; }; sleep 5', false],
  ['echo "open', false],
  ['', false],
])('%j: %j', (script, expected) => {
  expect(isSelfContained(['sh', '-c', script])).toBe(expected);
});

test.each<[string[], boolean]>([
  [['sleep', '3600'], true],
  [['/bin/echo', 'hello'], true],
  [['/bin/bash', '-c', 'sleep 1'], true],
  [['date', '+%s'], true],
  [['date', '-r', '/etc/hosts'], false],
  [['sh', '-ec', 'sleep 1'], false],
  [['sh', 'sleep'], false],
  [['python3', '-c', 'true'], false],
  [['nginx'], false],
  [[], false],
])('%j: %j', (argv, expected) => expect(isSelfContained(argv)).toBe(expected));
