import { testScripts } from '../../testing.js';

testScripts('exported functions', [
  {
    script: "f() { echo hello $1; }; export -f f; bash -c 'f x; declare -F'; dash -c 'f x'",
    bash: ['hello x\ndeclare -fx f\n', 'dash: 1: f: not found\n', 127],
  },
  {
    script: 'f() { echo hello; }; export -f f; export -nf f; bash -c f',
    bash: ['', 'bash: line 1: f: command not found\n', 127],
  },
  {
    script: 'f() { echo "$(g 2)"; }; g() { cat <<-END\n	g $1\n	END\n}; export -f f g; bash -c f',
    bash: ['g 2\n', '', 0],
  },
  {
    script: 'f() (echo sub); export -f f; (unset -f f; bash -c f); bash -c f',
    bash: ['sub\n', 'bash: line 1: f: command not found\n', 0],
  },
]);
