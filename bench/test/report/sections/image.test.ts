import { describe, expect, test } from 'vitest';
import { imageSections } from '../../../src/report/sections/image.ts';
import { summarizeConditions } from '../../../src/summary/conditions.ts';
import { summarizeImage } from '../../../src/summary/image.ts';
import { rowOf } from '../../cli/harness.ts';
import { IMAGE_COSTS, type ImageCosts, makeImageRecord } from '../../support/make-image-record.ts';
import { shown } from '../look.ts';

type Story = Parameters<typeof makeImageRecord>[0];

function textOf(story: Story = {}): string {
  const record = makeImageRecord(story);
  const summary = summarizeImage(record, summarizeConditions(record));
  return imageSections(summary)
    .map((section) => shown(section))
    .join('\n\n');
}

/** The costs with some of them changed, and without those that are null. */
function costsWith(changes: Record<string, number | null>): ImageCosts {
  const all = Object.entries({ ...IMAGE_COSTS, ...changes });
  return Object.fromEntries(all.flatMap(([name, cost]) => (cost === null ? [] : [[name, cost]])));
}

test('shows of each server at its limit what an image costs, and how good it is', () => {
  const [limit = ''] = textOf().split('Images as single processes, at 2.4 requests/s');
  expect(rowOf(limit, 'Go, libvips')).toMatch(
    /20\.00 ±0\.00 +50\.00 ±0\.00 +80\.00 ±0\.00 +40\.0 +33\.6/,
  );
  expect(rowOf(limit, 'Go, libvips (shrinking while decoding)')).toMatch(/40\.00 ±0\.00 +25\.00/);
});

test('says who serves a rate and who falls behind', () => {
  const text = textOf();
  expect(text).toContain('All of them serve 2.4 images a second.');
  expect(text).toContain(
    'Go, libvips and Node, sharp can serve 8 images a second. PHP, ImageMagick and Go, nfnt/resize fall behind',
  );
});

test('has a p99 from 1,000 answers on', () => {
  const heads = (text: string) => text.split('\n').filter((line) => /p50 +p95/.test(line));
  expect(heads(textOf()).join()).not.toContain('p99');
  expect(heads(textOf({ windowS: 100 })).join()).toContain('p99');
});

describe('of the published claims it says', () => {
  test('that the library decides, where it does', () => {
    const text = textOf();
    expect(text).toContain(
      'an image takes Go, nfnt/resize 1.25 [1.25, 1.25] times the CPU that it takes PHP, ImageMagick, as published',
    );
    expect(text).toContain('here too the library decides, and not the language');
    expect(rowOf(text, 'CPU')).toMatch(
      /production +3\.95 +CPU of an image +4\.00 \[4\.00, 4\.00\]/,
    );
    expect(rowOf(text, 'most memory')).toMatch(/6\.80 +peak memory +3\.00/);
  });

  test('that the language does, where that makes more of a difference', () => {
    const text = textOf({ costs: costsWith({ 'go-nfnt': 55, sharp: 100 }) });
    expect(text).toContain('PHP, ImageMagick: not as published');
    expect(text).toContain('the language makes more of a difference than the library');
  });

  test('that nothing is settled, where chance may have done it', () => {
    const vary = (name: string, launch: number) => (name === 'go-nfnt' ? 1 + launch : 1);
    expect(textOf({ vary })).toContain('not settled');
  });

  test('that the latency is at least halved, or is not', () => {
    expect(textOf()).toContain('0.25 times as long: at least halved');
    expect(textOf({ costs: costsWith({ 'php-imagick': 80 }) })).toContain('not halved');
  });

  test('that it stays steady, or falls behind', () => {
    expect(textOf()).toContain('its p95 is 1.00 times as long: steady');
    expect(textOf({ costs: costsWith({ 'go-vips': 200 }) })).toContain('not steady');
  });

  test('what was not measured', () => {
    const text = textOf({ costs: costsWith({ 'php-imagick': null }) });
    expect(text).toContain('not both of the two were measured');
    expect(text).not.toContain('Published beside measured');
  });
});
