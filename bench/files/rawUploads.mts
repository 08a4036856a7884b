import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * A raw client for bench/files/files.mts: sends files in base64 in JSON, as few lines of Node.js would.
 * Prints how long it took, in milliseconds. Run: node bench/files/rawUploads.mts <url> <at once> <files...>
 */

const [url, atOnce, ...files] = process.argv.slice(2);

class Base64 extends Transform {
	private left: Buffer = Buffer.alloc(0);

	override _transform(chunk: Buffer, _encoding: unknown, done: TransformCallback): void {
		const bytes = Buffer.concat([this.left, chunk]);
		const whole = bytes.length - (bytes.length % 3);
		this.left = bytes.subarray(whole);
		done(null, bytes.toString('base64', 0, whole));
	}

	override _flush(done: TransformCallback): void {
		done(null, this.left.toString('base64'));
	}
}

async function send(file: string): Promise<void> {
	const [head, tail] = ['{"requirement":"readonly","resource":"', '"}'];
	const length = head.length + 4 * Math.ceil(statSync(file).size / 3) + tail.length;
	const call = request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'content-length': length },
	});
	const answered = new Promise<void>((resolve, reject) => {
		call.on('response', (response) => response.resume().on('end', resolve));
		call.on('error', reject);
	});
	call.write(head);
	await pipeline(createReadStream(file), new Base64(), call, { end: false });
	call.end(tail);
	await answered;
}

const began = performance.now();
const waiting = [...files];
await Promise.all(
	Array.from({ length: Number(atOnce) }, async () => {
		for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await send(file);
	}),
);
process.stdout.write(String(performance.now() - began));
