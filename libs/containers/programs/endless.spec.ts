import { expect, test } from '@jest/globals';
import { isEndless, isQuiet } from './endless.js';

test.each<[string, boolean]>([
  ['while true; do date; sleep 1; done', true],
  ['i=0; while true; do echo $i: $(date) >> /var/log/x; i=$((i+1)); sleep 1; done', true],
  ['until false; do sleep 5; done', true],
  ['while :; do echo "a break here"; sleep 1; done', true],
  ['while true; do if [ -f /tmp/stop ]; then break; fi; sleep 1; done', false],
  ['while true; do echo $(exit 1) || exit; sleep 1; done', false],
  ['trap "exit 0" TERM; while true; do sleep 1; done', false],
  ['while true; do $CMD; sleep 1; done', false],
  ['while true; do wget -q -O- http://web; sleep 1; done', true],
  ['while sleep 0.01; do wget -q -O- http://php-apache; done', true],
  ['while true; do nc -z -w 1 10.96.0.10 80; sleep 1; done', true],
  [`while true; do wget -q -O- "http://web/?a" 'x' > /dev/null; sleep 1; done`, true],
  ['while true; do curl -s "http://$HOST"; sleep 1; done', false],
  ['while true; do curl -s $URL; sleep 1; done', false],
  ['while true; do curl -sk https://kubernetes.default.svc/api; sleep 1; done', false],
  ['while true; do curl -sk https://10.96.0.1:443/api; sleep 1; done', false],
  ['while sleep $N; do date; done', false],
  ['while sleep x; do date; done', false],
  ['while true; do x=$x$x; done', false],
  ['while true; do x+=a; done', false],
  ['while true; do sleep 1; done & sleep 5', false],
  ['while [ $i -lt 5 ]; do sleep 1; done', false],
  ['set -e; while true; do false; done', false],
  ['sleep 3600', false],
  ['while true; do', false],
])('%j: %j', (script, expected) => {
  expect(isEndless(['sh', '-c', script])).toBe(expected);
});

test.each<[string[], boolean]>([
  [['/bin/bash', '-c', 'while true; do sleep 1; done'], true],
  [['sh', '-ec', 'while true; do sleep 1; done'], false],
  [['python3', '-c', 'while true; do sleep 1; done'], false],
  [['sleep', 'infinity'], false],
])('%j: %j', (argv, expected) => expect(isEndless(argv)).toBe(expected));

test.each<[string, boolean]>([
  ['while true; do date; sleep 1; done', true],
  ['while true; do i=$((i+1)); echo "$i $(date)" >> /var/log/x; sleep 1; done', true],
  ['while true; do wget -q -O- http://web; sleep 1; done', false],
  ['while true; do if curl -s http://web; then echo yes; fi; sleep 1; done', false],
  ['while true; do echo "$(nc -z db 5432)"; sleep 1; done', false],
  ['while true; do echo x > /dev/tcp/web/80; sleep 1; done', false],
  ['while true; do ./run; sleep 1; done', false],
  ['sleep 3600', false],
])('%j speaks to nobody: %j', (script, expected) => expect(isQuiet(['sh', '-c', script])).toBe(expected));
