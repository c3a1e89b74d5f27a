import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

const failed = (stderr: string) => ({ stderr: `numfmt: ${stderr}\n`, code: 2 });

testCases({ ...text, ...programs }, [
  ['numfmt --to=iec 1048576 1500 12', '1.0M\n1.5K\n12\n'],
  ['numfmt --to=si 1500000 999999', '1.5M\n1.0M\n'],
  ['numfmt --from=iec 1K 2M 1.5G', '1024\n2097152\n1610612736\n'],
  ['numfmt --from=auto 1Ki 1K', '1024\n1000\n'],
  ['numfmt --to=iec-i --suffix=B 123456', '121KiB\n'],
  ['numfmt --padding=10 5', '         5\n'],
  ['numfmt --to=iec --format=%.2f 1536', '1.50K\n'],
  ['numfmt --to=iec --format=%06f -- -19863', '-00020K\n'],
  ['numfmt --to=si --round=down 1999', '1.9K\n'],
  ['echo 1 20000000 x | numfmt --field=2 --to=iec', '1      20M x\n'],
  ['echo a,1048576,b | numfmt -d, --field=2 --to=iec', 'a,1.0M,b\n'],
  ['numfmt abc', '', failed("invalid number: 'abc'")],
  ['numfmt 1K', '', failed("rejecting suffix in input: '1K' (consider using --from)")],
  ['numfmt --from=iec-i 1K', '', failed("missing 'i' suffix in input: '1K' (e.g Ki/Mi/Gi)")],
  ['numfmt --from=si 1X', '', failed("invalid suffix in input: '1X'")],
  ['echo 1 abc | numfmt --field=2 --invalid=warn', '1 abc\n', { stderr: "numfmt: invalid number: 'abc'\n", code: 0 }],
]);
