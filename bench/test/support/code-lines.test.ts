import { expect, test } from 'vitest';
import { countCodeLines } from './code-lines.ts';

const IMPORTS = [
  ...['import {', '  a,', '  type B,', "} from 'a';"],
  ...["import type { C } from 'c';", '// Of all.', "import * as d from 'd';"],
  ...["import e from './e.json' with {", "  type: 'json',", '};'],
];
const AT_RUN_TIME = ["await import('a');", "import('b');", 'import.meta.url;'];
const COMMENTS = ['/**', ' * a();', '', ' */', 'a(); /* b', 'c */ d();', '/* e */ f();', '/* g */'];
const TEMPLATE = ['g = `', "import 'h';", '', '// i', '`;'];
const TEXTS = ["a = '// b';", 'c = "/* d";', "e = 'import f';", ...TEMPLATE];
const IN_TEXT = ['a = `${', '  // b', "  c('`')", '} /* d */ ${e /* f', 'g */}`;'];
const PATTERNS = ['a = /[\'"`]/;', 'b = /\\/*c/;', '// d', 'e = f / 2; // g / h'];

test.each<[string, string[], number]>([
  ['nothing', [], 0],
  ['blank lines', ['', '  ', '\t'], 0],
  ['code', ['let a = 1;', '', 'a += 2;'], 2],
  ['comments to the end of a line', ['// one', 'a(); // two', '  // three'], 1],
  ['the first line of a program', ['#!/usr/bin/env node', 'a();'], 1],
  ['comments over several lines', COMMENTS, 3],
  ['imports', ["import a from 'a';", "import 'b';", 'a();'], 1],
  ['imports over several lines', [...IMPORTS, 'const f = 1;', '', 'f;'], 2],
  ['imports at run time and of types', [...AT_RUN_TIME, "type C = import('c').C;"], 4],
  ['comments and imports in texts', TEXTS, 7],
  ['expressions in a text', IN_TEXT, 4],
  ['patterns', PATTERNS, 3],
  ['line ends of Windows', ['// a\r', '\r', 'b();\r'], 1],
])('counts %s', (_, lines, count) => {
  expect(countCodeLines(lines.join('\n'))).toBe(count);
});
