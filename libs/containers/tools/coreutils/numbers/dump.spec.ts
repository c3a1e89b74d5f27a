import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['base64 fruits', 'YmFuYW5hCmFwcGxlCmNoZXJyeQphcHBsZQpCYW5hbmEKCmRhdGUK\n'],
  ['base64 -w 0 fruits', 'YmFuYW5hCmFwcGxlCmNoZXJyeQphcHBsZQpCYW5hbmEKCmRhdGUK'],
  ['base64 -w 20 fruits', 'YmFuYW5hCmFwcGxlCmNo\nZXJyeQphcHBsZQpCYW5h\nbmEKCmRhdGUK\n'],
  ['base64 fruits | base64 -d', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ["echo '!!!' | base64 -d", '', { stderr: 'base64: invalid input\n', code: 1 }],
  ['base32 fruits', 'MJQW4YLOMEFGC4DQNRSQUY3IMVZHE6IKMFYHA3DFBJBGC3TBNZQQUCTEMF2GKCQ=\n'],
  [
    'od fruits',
    '0000000 060542 060556 060556 060412 070160 062554 061412 062550\n0000020 071162 005171 070141 066160 005145 060502 060556 060556\n0000040 005012 060544 062564 000012\n0000047\n',
  ],
  [
    'od -c fruits',
    '0000000   b   a   n   a   n   a  \\n   a   p   p   l   e  \\n   c   h   e\n0000020   r   r   y  \\n   a   p   p   l   e  \\n   B   a   n   a   n   a\n0000040  \\n  \\n   d   a   t   e  \\n\n0000047\n',
  ],
  [
    'od -A x -t x1z fruits',
    '000000 62 61 6e 61 6e 61 0a 61 70 70 6c 65 0a 63 68 65  >banana.apple.che<\n000010 72 72 79 0a 61 70 70 6c 65 0a 42 61 6e 61 6e 61  >rry.apple.Banana<\n000020 0a 0a 64 61 74 65 0a                             >..date.<\n000027\n',
  ],
  ['od -An -tx1 bin', ' 00 01 61 62 63 ff fe 0a 7f 1b 5b 30 6d 0a\n'],
  ['od -t u2 -N 10 fruits', '0000000 24930 24942 24942 24842 28784\n0000012\n'],
  [
    'od -A d -t d4 fruits',
    '0000000  1634623842  1628070254  1701605488  1701339914\n0000016   175731314  1819308129  1631717989  1634623854\n0000032  1633946122      681332\n0000039\n',
  ],
  [
    'hexdump fruits',
    '0000000 6162 616e 616e 610a 7070 656c 630a 6568\n0000010 7272 0a79 7061 6c70 0a65 6142 616e 616e\n0000020 0a0a 6164 6574 000a                    \n0000027\n',
  ],
  [
    'hexdump -C fruits',
    '00000000  62 61 6e 61 6e 61 0a 61  70 70 6c 65 0a 63 68 65  |banana.apple.che|\n00000010  72 72 79 0a 61 70 70 6c  65 0a 42 61 6e 61 6e 61  |rry.apple.Banana|\n00000020  0a 0a 64 61 74 65 0a                              |..date.|\n00000027\n',
  ],
  ['hexdump -C bin', '00000000  00 01 61 62 63 ff fe 0a  7f 1b 5b 30 6d 0a        |..abc.....[0m.|\n0000000e\n'],
  [
    'xxd fruits',
    '00000000: 6261 6e61 6e61 0a61 7070 6c65 0a63 6865  banana.apple.che\n00000010: 7272 790a 6170 706c 650a 4261 6e61 6e61  rry.apple.Banana\n00000020: 0a0a 6461 7465 0a                        ..date.\n',
  ],
  ['xxd -p fruits', '62616e616e610a6170706c650a6368657272790a6170706c650a42616e61\n6e610a0a646174650a\n'],
  ['xxd -p fruits | xxd -r -p', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  ['xxd -l 5 fruits', '00000000: 6261 6e61 6e                             banan\n'],
  [
    'split -l 3 fruits; ls; cat xaa',
    'a.json\nbin\ndir\nempty\nfruits\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\nxaa\nxab\nxac\nbanana\napple\ncherry\n',
  ],
  ['split -b 10 fruits p; cat pab', 'le\ncherry\n'],
]);
