/**
 * Identity pictures (primary_front, primary_back, secondary_front of
 * docs/service/notarization.md#identity-images): drawn cards that differ in color and pattern.
 */

import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 320;
const HEIGHT = 200;

type Color = [number, number, number];

const COLORS: Record<string, Color> = {
	primary_front: [46, 94, 140],
	primary_back: [90, 90, 100],
	secondary_front: [120, 70, 50],
};

const drawn = new Map<string, Buffer>();

/** A PNG of an identity card. Each kind is drawn once, because every meeting has all of them. */
export function identityPicture(kind: string): Buffer {
	const picture = drawn.get(kind) ?? draw(kind);
	drawn.set(kind, picture);
	return Buffer.from(picture);
}

function draw(kind: string): Buffer {
	const base = COLORS[kind] ?? [80, 80, 80];
	const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
	for (let y = 0; y < HEIGHT; y++) {
		for (let x = 0; x < WIDTH; x++)
			rows.set(pixel(kind, base, x, y), y * (WIDTH * 3 + 1) + 1 + x * 3);
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(WIDTH, 0);
	header.writeUInt32BE(HEIGHT, 4);
	header.set([8, 2, 0, 0, 0], 8);
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function pixel(kind: string, base: Color, x: number, y: number): Color {
	const inBox = (left: number, top: number, width: number, height: number) =>
		x >= left && x < left + width && y >= top && y < top + height;
	if (inBox(0, 0, WIDTH, 34)) return base;
	if (kind === 'primary_back')
		return inBox(0, 60, WIDTH, 36)
			? [30, 30, 30]
			: inBox(24, 130, 272, 40) && x % 5 < 2
				? [20, 20, 20]
				: [228, 228, 222];
	const [dx, dy] = [x - 74, y - 98];
	if (dx * dx + dy * dy < 26 * 26) return [214, 170, 140];
	if (inBox(34, 130, 80, 50) || inBox(24, 54, 100, 130))
		return inBox(34, 130, 80, 50) ? base : [238, 242, 246];
	if (x > 144 && x < 296 && y > 60 && y < 170 && y % 22 < 6) return [120, 128, 140];
	return [250, 250, 246];
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(8);
	framed.writeUInt32BE(data.length, 0);
	framed.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([framed.subarray(0, 4), body, framed.subarray(4)]);
}
