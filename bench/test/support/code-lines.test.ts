import { expect, test } from 'vitest';
import { countCodeLines } from './code-lines.ts';

test.each([
  { what: 'nothing', lines: [], count: 0 },
  { what: 'blank lines', lines: ['', '  ', '\t'], count: 0 },
  { what: 'code', lines: ['let a = 1;', '', 'a += 2;'], count: 2 },
  {
    what: 'comments to the end of a line',
    lines: ['// one', 'a(); // two', '  // three'],
    count: 1,
  },
  { what: 'the first line of a program', lines: ['#!/usr/bin/env node', 'a();'], count: 1 },
  {
    what: 'comments over several lines',
    lines: ['/**', ' * a();', '', ' */', 'a(); /* b', 'c */ d();', '/* e */ f();', '/* g */'],
    count: 3,
  },
  { what: 'imports', lines: ["import a from 'a';", "import 'b';", 'a();'], count: 1 },
  {
    what: 'imports over several lines, of types and with attributes',
    lines: [
      ...['import {', '  a,', '  type B,', "} from 'a';"],
      ...["import type { C } from 'c';", '// Of all.', "import * as d from 'd';"],
      ...["import e from './e.json' with {", "  type: 'json',", '};'],
      ...['const f = 1;', '', 'f;'],
    ],
    count: 2,
  },
  {
    what: 'what is imported as the program runs, and what is read of a module',
    lines: ["await import('a');", "import('b');", 'import.meta.url;', "type C = import('c').C;"],
    count: 4,
  },
  {
    what: 'comments and imports in texts',
    lines: [
      "a = '// b';",
      'c = "/* d";',
      "e = 'import f';",
      'g = `',
      "import 'h';",
      '',
      '// i',
      '`;',
    ],
    count: 7,
  },
  {
    what: 'what is put into a text',
    lines: ['a = `${', '  // b', "  c('`')", '} /* d */ ${e /* f', 'g */}`;'],
    count: 4,
  },
  {
    what: 'patterns',
    lines: ['a = /[\'"`]/;', 'b = /\\/*c/;', '// d', 'e = f / 2; // g / h'],
    count: 3,
  },
  { what: 'ends of lines of Windows', lines: ['// a\r', '\r', 'b();\r'], count: 1 },
])('counts $what', ({ lines, count }) => {
  expect(countCodeLines(lines.join('\n'))).toBe(count);
});
