import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import type { PackageOptions, Served } from './packageService.mts';
import { id } from '../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';

/**
 * The package of a closing with ten documents and a recording of 300 MB, at a service that gives at
 * most 20 MB a second on each connection and whose links expire in the middle. The service is another
 * process, so that its memory doesn't count, and it says itself which bytes it has given.
 */

const MEGABYTE = 1024 ** 2;
const OPTIONS: PackageOptions = {
	documents: 10,
	documentMegabytes: 8,
	recordingMegabytes: 300,
	// On a slower machine slower, so that the service stays what everything waits for.
	megabytesPerSecond: 20 / Number(process.env.SIGN_AND_CLOSE_SLOWNESS ?? 1),
	opensPerAnswer: 6,
};
const MOST_GROWTH = 64 * MEGABYTE;
/** How much longer than its biggest file alone a package may take. */
const MOST_OF_BIGGEST = 1.25;
const SERVICE = join(import.meta.dirname, './packageService.mts');

let service: ReturnType<typeof spawn>;
let url: string;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	const script = `import(${JSON.stringify(SERVICE)})
		.then(({ startPackageService }) => startPackageService(${JSON.stringify(OPTIONS)}))
		.then(({ url }) => console.log(url))`;
	service = spawn(process.execPath, ['-e', script], {
		env: { ...process.env, NODE_OPTIONS: '' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	url = String((await once(service.stdout!, 'data'))[0]).trim();
});
afterAll(() => {
	service.kill();
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs an operation that has to go well, and measures it. */
async function measured(parameters: IDataObject) {
	collectGarbage();
	const before = process.memoryUsage.rss();
	let peak = before;
	const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
	const began = Date.now();
	try {
		const { items, error } = await runNode({
			credential: credentialFor(url),
			parameters: { platform: 'realEstate', binaryPropertyName: 'data', ...parameters },
		});
		expect(error).toBeUndefined();
		return { items, ms: Date.now() - began, growth: peak - before };
	} finally {
		clearInterval(sampling);
	}
}

const PACKAGE = {
	resource: 'transaction',
	operation: 'downloadPackage',
	transactionId: id('ot_1'),
	include: ['document', 'audit_trail', 'recording'],
	returnAs: 'package',
	fileNames: '{number} {document_name}',
	ifMissing: 'fail',
	earlierManifest: '',
};

test('takes as long as its biggest file, little memory, and has every byte', async () => {
	// What is loaded and compiled at the first files isn't theirs.
	await measured({ ...PACKAGE, include: ['document'] });
	const alone = await measured({
		resource: 'notarizationRecord',
		operation: 'downloadVideo',
		recordId: id('me_1'),
	});
	const all = await measured(PACKAGE);
	const { sha256, expired } = (await (await fetch(`${url}/served`)).json()) as Served;
	const manifest = all.items[0].json.manifest as IDataObject[];
	expect(manifest.map(({ sha256: hash, bytes }) => [hash, bytes])).toEqual([
		...Array.from({ length: OPTIONS.documents }, (_, index) => [
			sha256[`document-${index}`].at(-1),
			OPTIONS.documentMegabytes * MEGABYTE,
		]),
		[sha256.trail.at(-1), OPTIONS.documentMegabytes * MEGABYTE],
		[sha256.recording.at(-1), OPTIONS.recordingMegabytes * MEGABYTE],
	]);
	expect(new Set(manifest.map(({ sha256: hash }) => hash)).size).toBe(12);
	expect(expired).toBeGreaterThan(0);
	expect(all.ms / alone.ms).toBeLessThanOrEqual(MOST_OF_BIGGEST);
	expect(all.growth).toBeLessThan(MOST_GROWTH);
});
