import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Document, Table, Text } from '../../../src/report/document.ts';
import { renderPage } from '../../../src/report/html/page.ts';
import { chartTable, headText } from '../../../src/report/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bidder, board, cluster, curve, cutShort, frameworks, rate } from '../golden-records.ts';
import { hostile, pageOf } from './pages.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The distribution's own. */
const CHROMIUM = '/usr/bin/chromium';
/** Of a browser that makes no requests of its own. */
const OPTIONS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** How much wider a page is than its window, px; as text, since its names are the browser's. */
const SURPLUS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const RECORDS = { frameworks, cutShort, cluster, rate, curve, board, bidder };

describe.skipIf(!existsSync(CHROMIUM))('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: OPTIONS });
  });
  afterAll(() => browser.close());

  /** Shows the page of these documents as a file, as a reader opens it, with its complaints and requests. */
  async function show(documents: Document[], options: BrowserContextOptions = {}) {
    const folder = temporaryFolder();
    const url = pathToFileURL(folder.write('page.html', renderPage(documents))).href;
    const context = await browser.newContext({ viewport: WIDE, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (request.url() !== url && !request.url().startsWith('data:')) requests.push(request.url());
    });
    await page.goto(url);
    return {
      ...{ page, complaints, requests },
      [Symbol.asyncDispose]: async () => {
        await context.close();
        folder[Symbol.dispose]();
      },
    };
  }

  describe.each(Object.entries(RECORDS))('the page of %s', (_, make) => {
    const document = pageOf(make());
    let wide: Awaited<ReturnType<typeof show>>;
    beforeAll(async () => {
      wide = await show([document]);
    });
    afterAll(() => wide[Symbol.asyncDispose]());

    test('asks for nothing, complains of nothing, and fits, wide and light, narrow and dark', async () => {
      await using narrow = await show([document], { viewport: NARROW, colorScheme: 'dark' });
      for (const { page, complaints, requests } of [wide, narrow]) {
        expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
        expect(await page.evaluate(SURPLUS)).toBe(0);
      }
    });

    test('shows every figure of the report as it is', async () => {
      const rows = await cellsOf(wide.page.locator('tr'));
      expect(rows).toEqual(tablesOf(document).flatMap(textsOf));
    });
  });

  test('nothing serious is found by axe-core, on the two grounds of light and dark', async () => {
    const grounds = new Set<unknown>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await using shown = await show([pageOf(frameworks())], { colorScheme, bypassCSP: true });
      grounds.add(await shown.page.evaluate('getComputedStyle(document.body).backgroundColor'));
      await shown.page.addScriptTag({ path: AXE });
      await shown.page.locator('details').evaluateAll((all) => {
        for (const each of all) each.setAttribute('open', '');
      });
      const found: { id: string; impact: string }[] = await shown.page.evaluate(
        'axe.run().then((r) => r.violations.map(({ id, impact }) => ({ id, impact })))',
      );
      expect(found.filter(({ impact }) => ['serious', 'critical'].includes(impact))).toEqual([]);
    }
    expect(grounds.size).toBe(2);
  });

  test('a table is sorted by a column, by the keyboard alone, one way and the other', async () => {
    await using shown = await show([pageOf(frameworks())]);
    const table = shown.page.locator('section table').filter({ hasText: 'rank' }).first();
    const head = table.getByRole('button', { name: 'requests/s', exact: true });
    const column = await table.locator('thead th').allTextContents();
    const place = column.indexOf('requests/s');
    const values = async () => {
      const texts = await table.locator(`tbody tr > :nth-child(${place + 1})`).allTextContents();
      return texts.map((text) => Number.parseFloat(text.replaceAll(',', '')));
    };
    const before = await values();
    await head.focus();
    await shown.page.keyboard.press('Enter');
    const rising = before.toSorted((a, b) => a - b);
    expect(await values()).toEqual(rising);
    await shown.page.keyboard.press('Space');
    expect(await values()).toEqual(rising.toReversed());
    expect(await table.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
  });

  test('a table is copied as Markdown, as it is sorted', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await using shown = await show([pageOf(frameworks())], { permissions });
    const scroll = shown.page.locator('section > .scroll').first();
    const expected = await cellsOf(scroll.locator('tr'));
    await shown.page.locator('section > .tools button').first().focus();
    await shown.page.keyboard.press('Enter');
    await shown.page.getByText('Copied', { exact: true }).waitFor();
    const copied = await shown.page.evaluate<string>('navigator.clipboard.readText()');
    const [head, , ...rows] = copied.trimEnd().split('\n');
    const texts = [head, ...rows].map((line = '') => line.slice(2, -2).split(' | '));
    expect(texts).toEqual(expected);
  });

  test('hostile texts do no harm, and are shown as they are', async () => {
    await using shown = await show([pageOf(hostile(cutShort()))], { viewport: NARROW });
    expect([shown.complaints, shown.requests]).toEqual([[], []]);
    expect(await shown.page.title()).toBe('overhead frameworks');
    expect(await shown.page.locator('img, script').count()).toBe(1);
    expect(await shown.page.locator('h1').isVisible()).toBe(true);
    expect(await shown.page.locator('pre').textContent()).toContain('<img src=x');
    expect(await shown.page.evaluate(SURPLUS)).toBe(0);
  });

  test('prints with its tables, without what only a screen has', async () => {
    await using shown = await show([pageOf(frameworks())]);
    await shown.page.emulateMedia({ media: 'print' });
    expect(await shown.page.locator('nav').isVisible()).toBe(false);
    expect(await shown.page.locator('section > .tools').first().isVisible()).toBe(false);
    expect(await shown.page.locator('section > .scroll').first().isVisible()).toBe(true);
  });
});

/** The texts in the cells of these rows; nothing where a cell holds a drawing. */
async function cellsOf(rows: Locator): Promise<string[][]> {
  return await rows.evaluateAll((all) => {
    return all.map((row) => {
      return [...row.children].map((cell) => (cell.querySelector('svg') ? '' : cell.textContent));
    });
  });
}

/** All tables of a page, in their order: of a chart, its figures. */
function tablesOf({ sections }: Document): Table[] {
  return sections.flatMap(({ blocks }) => {
    return blocks.flatMap((block) => {
      if (block.kind === 'table') return [block];
      return block.kind === 'figure' ? [chartTable(block.chart)] : [];
    });
  });
}

function textsOf({ columns, rows }: Table): string[][] {
  const text = (cell: Text) => {
    if (typeof cell === 'string') return cell;
    return 'spans' in cell ? '' : cell.text;
  };
  return [columns.map(({ head }) => headText(head)), ...rows.map((row) => row.map(text))];
}
