import { programs as coreutils } from '../coreutils/index.js';
import { testCases } from '../testing/run-tool.js';
import { programs as text } from '../text/index.js';
import { programs } from './index.js';

testCases({ ...coreutils, ...text, ...programs }, [
  [
    'gzip fruits; ls; gunzip fruits.gz; cat fruits',
    'a.json\nbin\ndir\nempty\nfruits.gz\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\nbanana\napple\ncherry\napple\nBanana\n\ndate\n',
  ],
  ['gzip -k fruits; zcat fruits.gz', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ['gzip -c fruits | gunzip -c', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  [
    'gzip -k fruits; gzip -l fruits.gz',
    '         compressed        uncompressed  ratio uncompressed_name\n' +
      '                 55                  39  23.1% fruits\n',
  ],
  ['gunzip nope', '', { stderr: 'gzip: nope.gz: No such file or directory\n', code: 1 }],
  ['gzip nope', '', { stderr: 'gzip: nope: No such file or directory\n', code: 1 }],
  ['gunzip fruits', '', { stderr: 'gzip: fruits: unknown suffix -- ignored\n', code: 2 }],
  ['cat fruits | gunzip', '', { stderr: '\ngzip: stdin: not in gzip format\n', code: 1 }],
  ['gzip dir', '', { stderr: 'gzip: dir is a directory -- ignored\n', code: 2 }],
]);
