/**
 * 'LINE=FULL …': the last release of each line that a tag may name alone, by the newest version of the product.
 * '+': the line is maintained, and may have had more of them since.
 */
const LINES: Readonly<Record<string, string>> = {
  // nginx
  '1.29.4':
    '1.28=1.28.1+ 1.27=1.27.5 1.26=1.26.3 1.25=1.25.5 1.24=1.24.0 1.23=1.23.4 1.22=1.22.1 1.21=1.21.6 1.20=1.20.2 ' +
    '1.19=1.19.10 1.18=1.18.0 1.17=1.17.10 1.16=1.16.1 1.15=1.15.12 1.14=1.14.2 1.13=1.13.12 1.12=1.12.2 ' +
    '1.11=1.11.13 1.10=1.10.3 1.9=1.9.15 1.8=1.8.1 1.7=1.7.12',
  // redis
  '8.4.0':
    '8.2=8.2.3+ 8.0=8.0.5+ 7=7.4.7 7.4=7.4.7+ 7.2=7.2.12+ 7.0=7.0.15 6=6.2.21 6.2=6.2.21+ 6.0=6.0.20 5=5.0.14 ' +
    '5.0=5.0.14 4=4.0.14 4.0=4.0.14 3=3.2.12 3.2=3.2.12',
  // mysql
  '9.5.0': '8=8.4.7 8.4=8.4.7+ 8.0=8.0.44+ 5=5.7.44 5.7=5.7.44 5.6=5.6.51 5.5=5.5.62',
  // mariadb
  '12.1.2':
    '12.0=12.0.2 11=11.8.5 11.8=11.8.5+ 11.4=11.4.9+ 10=10.11.15 10.11=10.11.15+ 10.6=10.6.24+ 10.5=10.5.29 ' +
    '10.4=10.4.34 10.3=10.3.39',
  // postgres
  '18.1': '17=17.7+ 16=16.11+ 15=15.15+ 14=14.20+ 13=13.23 12=12.22 11=11.22 10=10.23 9=9.6.24 9.6=9.6.24',
  // mongo
  '8.2.3':
    '8.0=8.0.16+ 7=7.0.26 7.0=7.0.26+ 6=6.0.27 6.0=6.0.27 5=5.0.31 5.0=5.0.31 4=4.4.29 4.4=4.4.29 4.2=4.2.24 4.0=4.0.28',
  // rabbitmq
  '4.2.2': '4.1=4.1.6+ 4.0=4.0.9 3=3.13.7 3.13=3.13.7 3.12=3.12.14 3.11=3.11.28 3.10=3.10.25 3.9=3.9.29 3.8=3.8.34',
  // python
  '3.14.2':
    '3.13=3.13.11+ 3.12=3.12.12+ 3.11=3.11.14+ 3.10=3.10.19+ 3.9=3.9.25 3.8=3.8.20 3.7=3.7.17 3.6=3.6.15 ' +
    '2=2.7.18 2.7=2.7.18',
  // node
  '26.0.0':
    '25=25.2.1+ 25.2=25.2.1+ 24=24.12.0+ 22=22.21.1+ 20=20.19.6+ 18=18.20.8 16=16.20.2 14=14.21.3 12=12.22.12 10=10.24.1 24.12=24.12.0+ ' +
    '22.21=22.21.1+ 20.19=20.19.6+ 18.20=18.20.8 16.20=16.20.2 14.21=14.21.3',
  // zookeeper
  '3.9.3': '3.8=3.8.4+ 3.7=3.7.2 3.6=3.6.4 3.5=3.5.10 3.4=3.4.14',
};

/** The last release of a line ('8.0' of MySQL: '8.0.44'); undefined: not known. */
export const lastOfLine = (line: string, latest: string): string | undefined => wordOf(line, latest)?.replace('+', '');

const wordOf = (line: string, latest: string): string | undefined =>
  LINES[latest]
    ?.split(' ')
    .find((word) => word.startsWith(`${line}=`))
    ?.slice(line.length + 1);

/** What may have been released since this list was written: patches of a maintained line, and lines of a product. */
const PATCHES_SINCE = 12;
const LINES_SINCE = 3;

/** Whether a version ('1.27.99') is above what its line has had, or above the product's newest ('1.29.4'). */
export function isUnreleased(version: string, newest: string): boolean {
  const numbers = version.split('.').map(Number);
  for (let length = numbers.length - 1; length > 0; length--) {
    const last = wordOf(numbers.slice(0, length).join('.'), newest);
    if (last !== undefined) return isAbove(numbers, last.replace('+', ''), last.endsWith('+'));
  }
  return isAbove(numbers, newest, true);
}

/** Compares the first number that differs: a new major version of a product is never assumed. */
function isAbove(numbers: readonly number[], last: string, isMaintained: boolean): boolean {
  const known = last.split('.').map(Number);
  const at = numbers.findIndex((number, i) => i < known.length && number !== known[i]);
  if (at < 0) return false;
  const since = at === known.length - 1 ? PATCHES_SINCE : LINES_SINCE;
  return numbers[at]! > known[at]! + (isMaintained && at > 0 ? since : 0);
}
