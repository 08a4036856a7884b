import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { readFile, runNode, useBinaryMode, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Answer, type AskedFor } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/** Transaction: Download Package of what live services answer. */

beforeAll(async () => await useBinaryMode('filesystem'));

const COMPLETED = { status: 'completed', detailed_status: 'complete', loan_number: '7001' };
const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n1IEND\xAE\x42\x60\x82', 'latin1');
const VIDEO = Buffer.from([0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70, 1, 2, 3]);
const XML = Buffer.from('<?xml version="1.0"?>\n<SMART_DOCUMENT/>');

/** What stands behind the links, by the last part of their paths. */
const FILES: Record<string, Buffer> = {
	deed: pdf('deed'),
	note: XML,
	trail: pdf('trail'),
	letter: Buffer.from('{\\rtf a letter}'),
	charges: pdf('charges'),
	identity: pdf('identity'),
	video: VIDEO,
	front: PICTURE,
	selfie: PICTURE,
	notarized: pdf('notarized'),
};

const DOCUMENTS = [
	liveDocument({ id: 'do_1', document_name: 'Deed of Trust', final_document_url: 'LINK/deed' }),
	liveDocument({
		id: 'do_2',
		document_name: 'enote.xml',
		is_enote: true,
		final_document_url: 'LINK/note',
	}),
];
const RECORD = {
	id: 'me_1',
	meeting_start: '2026-11-21T10:00:00.000000Z',
	notary_name: 'Nora Notary',
	video_url: 'LINK/video',
	signers: [{ email: 'jane@example.com', primary_front: 'LINK/front', selfie: 'LINK/selfie' }],
	notarized_documents: [
		{ document_url: 'LINK/notarized', notorial_acts: ['jurat', 'affidavit'], tracking_id: 7 },
	],
};
const CLOSING = liveClosing(DOCUMENTS, {
	...COMPLETED,
	notarization_record: { id: 'me_1' },
	audit_trail_url: 'LINK/trail',
	charge_statement_url: 'LINK/charges',
	identity_report: { name: 'identity_report.pdf', url: 'LINK/identity' },
	attachments: [
		{ name: 'Letter.docx', url: 'LINK/letter', date_created: '2026-11-21T10:00:00Z' },
		{ name: 'not there', url: null },
	],
});
const ALL = [
	'attachment',
	'audit_trail',
	'charge_statement',
	'document',
	'enote',
	'identity_image',
	'identity_report',
	'notarization_record',
	'notarized_document',
	'recording',
];

interface Scene {
	closing?: IDataObject;
	records?: Record<string, IDataObject>;
	/** Answers instead of the service; undefined for its own answer. */
	disturb?: (request: AskedFor, retrieved: number) => Answer | undefined;
	parameters?: IDataObject;
	run?: Partial<RunOptions>;
}

/**
 * Downloads a package. `LINK` in an answer is the beginning of a link; each answer gives new links.
 */
const download = async ({
	closing = CLOSING,
	records = { me_1: RECORD },
	disturb,
	parameters = {},
	run = {},
}: Scene = {}) => {
	let retrieved = 0;
	let url = '';
	return await withService(
		(request) => {
			const { path } = request;
			const isFile = path.startsWith('/file/');
			if (!isFile) retrieved++;
			const disturbed = disturb?.(request, retrieved);
			const linked = (answer: unknown) =>
				JSON.parse(JSON.stringify(answer).replaceAll('LINK', `${url}/file/${retrieved}`)) as object;
			if (disturbed !== undefined)
				return typeof disturbed.body === 'object' && !Buffer.isBuffer(disturbed.body)
					? { ...disturbed, body: linked(disturbed.body) }
					: disturbed;
			if (isFile) return { body: FILES[path.split('/')[3]] };
			const record = /notarization_records\/(\w+)$/.exec(path)?.[1];
			if (record !== undefined) return records[record] && { body: linked(records[record]) };
			return path.endsWith('/transactions/ot_od4kenk') ? { body: linked(closing) } : undefined;
		},
		async (service) => {
			({ url } = service);
			const outcome = await runNode({
				credential: service.credential,
				parameters: {
					resource: 'transaction',
					operation: 'downloadPackage',
					platform: 'realEstate',
					transactionId: id('ot_od4kenk'),
					include: [...ALL, 'manifest'],
					returnAs: 'package',
					fileNames: '{document_name}',
					ifMissing: 'give',
					earlierManifest: '',
					binaryPropertyName: 'data',
					...parameters,
				},
				...run,
			});
			const { error } = outcome;
			return {
				...outcome,
				json: outcome.items[0]?.json,
				manifest: outcome.items[0]?.json.manifest as IDataObject[],
				missing: outcome.items[0]?.json.missing as IDataObject[],
				said: `${error?.message}. ${error?.description}`,
				asked: service.requests.map(({ path }) => path),
			};
		},
	);
};

const kindsOf = (rows: IDataObject[]) => rows.map(({ kind }) => kind);
const namesOf = (rows: IDataObject[]) => rows.map(({ file_name: name }) => name);

describe('everything that a closing leaves behind', () => {
	const WHOLE = { ...CLOSING, attachments: (CLOSING.attachments as IDataObject[]).slice(0, 1) };

	test('is in one item, with a manifest of what it is', async () => {
		const { items, json, manifest, error } = await download({ closing: WHOLE });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(json).toMatchObject({
			transaction_id: 'ot_od4kenk',
			loan_number: '7001',
			complete: true,
			file_count: 11,
			missing_count: 0,
			missing: [],
			new_count: 11,
		});
		expect(manifest.map(({ kind, id: of, file_name: name }) => [kind, of, name])).toEqual([
			['document', 'do_1', 'Deed of Trust.pdf'],
			['enote', 'do_2', 'enote.xml'],
			['audit_trail', 'ot_od4kenk', 'Audit trail.pdf'],
			['attachment', 'Letter.docx 2026-11-21T10:00:00Z', 'Letter.docx'],
			['charge_statement', 'ot_od4kenk', 'Charge statement.pdf'],
			['identity_report', 'ot_od4kenk', 'Identity report.pdf'],
			['notarized_document', 'me_1 7', 'Notarized document.pdf'],
			['recording', 'me_1', 'Recording.mp4'],
			['identity_image', 'me_1 signer 1 primary front', 'Signer 1 primary front.png'],
			['identity_image', 'me_1 signer 1 selfie', 'Signer 1 selfie.png'],
			['notarization_record', 'me_1', 'Notarization record.json'],
		]);
		expect(manifest.map(({ notarial_acts: acts }) => acts).filter(Boolean)).toEqual([
			'jurat, affidavit',
		]);
		const files = Object.values(items[0].binary!);
		expect(Object.keys(items[0].binary!)).toEqual(files.map((_, index) => `data_${index + 1}`));
		await forEachCase(manifest.entries(), async ([index, row]) => {
			const bytes = await readFile(files[index]);
			expect(files[index]).toMatchObject({ fileName: row.file_name, mimeType: row.mime_type });
			expect([row.bytes, row.sha256]).toEqual([bytes.length, sha256(bytes)]);
		});
		expect(await readFile(files[1])).toEqual(XML);
		expect(await readFile(files[7])).toEqual(VIDEO);
		// The last one is the manifest itself.
		const list = JSON.parse(String(await readFile(files[11]))) as IDataObject;
		expect(list).toMatchObject({ complete: true, manifest, missing: [] });
		expect(list).not.toHaveProperty('new_count');
	});
	test('is an item a file, in rows for a sheet, the manifest last', async () => {
		const { items } = await download({ closing: WHOLE, parameters: { returnAs: 'files' } });
		const rows = items.slice(0, -1);
		expect(rows).toHaveLength(11);
		forEachCase(rows, ({ json, binary }) => {
			expect(Object.keys(json)).toEqual([
				'transaction_id',
				'loan_number',
				'kind',
				'id',
				'file_name',
				'mime_type',
				'bytes',
				'sha256',
				'notarial_acts',
			]);
			// Nothing in it is an object or a list.
			forEachCase(Object.values(json), (value) => expect(Object(value ?? '')).not.toBe(value));
			expect(binary!.data.fileName).toBe(json.file_name);
		});
		expect(items[11].json).toMatchObject({
			kind: 'manifest',
			id: 'ot_od4kenk',
			file_name: 'Manifest.json',
			complete: true,
			manifest: rows.map(({ json: { kind, sha256: hash } }) => ({ kind, sha256: hash })),
		});
	});
	test('holds only what was chosen, and asks for nothing else', async () => {
		const chosen = async (include: unknown) =>
			await download({ parameters: { include: include as string } });
		const trail = await chosen(['audit_trail']);
		expect(kindsOf(trail.manifest)).toEqual(['audit_trail']);
		expect(trail.asked).toHaveLength(2);
		expect(kindsOf((await chosen('document, recording')).manifest)).toEqual([
			'document',
			'recording',
		]);
		await forEachCase([[], ['video']], async (include) =>
			expect((await chosen(include)).said).toMatch(/^'Include' is/),
		);
	});
	test('of two meetings has both records', async () => {
		const { manifest } = await download({
			closing: { ...WHOLE, notarization_records: [{ id: 'me_0' }, { id: 'me_1' }] },
			records: { me_0: { ...RECORD, id: 'me_0' }, me_1: RECORD },
			parameters: { include: ['recording', 'notarization_record'] },
		});
		expect(manifest.map(({ kind, id: of, file_name: name }) => [kind, of, name])).toEqual([
			['recording', 'me_0', 'Recording.mp4'],
			['notarization_record', 'me_0', 'Notarization record.json'],
			['recording', 'me_1', 'Recording (2).mp4'],
			['notarization_record', 'me_1', 'Notarization record (2).json'],
		]);
	});
	test('has a record without links, the same each time', async () => {
		const record = async () => {
			const { items, manifest } = await download({
				parameters: { include: ['notarization_record'] },
			});
			return { text: String(await readFile(items[0].binary!.data_1)), hash: manifest[0].sha256 };
		};
		const { text, hash } = await record();
		expect(JSON.parse(text)).toEqual({
			id: 'me_1',
			meeting_start: RECORD.meeting_start,
			notary_name: 'Nora Notary',
			signers: [{ email: 'jane@example.com' }],
			notarized_documents: [{ notorial_acts: ['jurat', 'affidavit'], tracking_id: 7 }],
		});
		expect((await record()).hash).toBe(hash);
	});
	test('of business is behind the links of its documents and its audit trail endpoint', async () => {
		const business = liveClosing(
			[liveBusinessDocument({ id: 'do_1', completion_state: 'complete' })],
			COMPLETED,
		);
		const { manifest, json } = await download({
			closing: business,
			parameters: { platform: 'business', include: ['document', 'audit_trail'] },
			disturb: ({ path, query }) => {
				if (path.endsWith('/assets/audit_trail')) return { body: FILES.trail };
				return path.endsWith('/documents/do_1')
					? {
							body: liveDocument({ id: 'do_1', final_document_url: query.encoding && 'LINK/deed' }),
						}
					: undefined;
			},
		});
		expect(manifest.map(({ kind, sha256: hash }) => [kind, hash])).toEqual([
			['document', sha256(FILES.deed)],
			['audit_trail', sha256(FILES.trail)],
		]);
		expect(json.complete).toBe(true);
	});
});

describe('what is missing', () => {
	const whys = (missing: IDataObject[]) =>
		missing.map(({ kind, why, document_name: name }) => [kind, why, name]);

	test('is told with why, and keeps nothing else from coming', async () => {
		const outcome = await download({
			closing: {
				...CLOSING,
				documents: [...DOCUMENTS, liveDocument({ id: 'do_3', document_name: 'Unpaid' })],
			},
			records: { me_1: { ...RECORD, video_url: null } },
			disturb: ({ path }) => (path.endsWith('/charges') ? { status: 403 } : undefined),
		});
		expect(outcome.error).toBeUndefined();
		expect(whys(outcome.missing)).toEqual([
			['document', 'not_ready', 'Unpaid'],
			['attachment', 'not_ready', 'not there'],
			['charge_statement', 'failed', 'Charge statement'],
			['recording', 'not_ready', 'Recording'],
		]);
		expect(outcome.missing[0].message).toMatch(/gives no link .* 'Documents Released'/);
		expect(outcome.missing[2].message).toMatch(/refused \(status 403\)|API key/);
		expect(outcome.missing[3].message).toMatch(/^The recording isn't ready yet\. /);
		expect(outcome.json).toMatchObject({
			complete: false,
			missing_count: 4,
			missing_files: 'Unpaid, not there, Charge statement, Recording',
		});
		expect(outcome.manifest).toHaveLength(9);
		expect(hints(outcome)).toMatch(/^4 files are missing: Unpaid, not there/);
	});
	test.each<[string, IDataObject, unknown]>([
		['sent', { status: 'sent', detailed_status: 'sent_to_signer' }, false],
		['expired', { status: 'expired', detailed_status: 'expired' }, false],
		['in a state that nobody knows', { status: 'odd', detailed_status: 'odd' }, false],
	])('of a transaction that is %s: its documents', async (_what, state, complete) => {
		const { missing, json } = await download({
			closing: liveClosing([liveDocument({ id: 'do_1' })], state),
			parameters: { include: ['document'] },
			disturb: ({ path }) => (path.endsWith('/documents/do_1') ? { status: 409 } : undefined),
		});
		expect(whys(missing)).toEqual([['document', 'not_completed', 'Deed of Trust']]);
		expect(missing[0].message).toContain(`(${String(state.detailed_status)})`);
		expect(json.complete).toBe(complete);
	});
	test('is the audit trail until the transaction has ended, because more comes to it', async () => {
		const at = async (state: IDataObject) =>
			await download({
				closing: { ...CLOSING, ...state },
				parameters: { include: ['audit_trail'] },
			});
		const unpaid = await at({ detailed_status: 'awaiting_payment' });
		expect(whys(unpaid.missing)).toEqual([['audit_trail', 'not_ready', 'Audit trail']]);
		expect(unpaid.asked).toHaveLength(1);
		expect((await at({ detailed_status: 'complete' })).missing).toEqual([]);
	});
	test('is unknown in a state that nobody knows', async () => {
		const { json } = await download({
			closing: { ...CLOSING, status: 'odd', detailed_status: 'odd' },
			parameters: { include: ['charge_statement'] },
		});
		expect(json).toMatchObject({ complete: null, missing_count: 0 });
	});
	test('of a record that cannot be read: whatever was wanted of it', async () => {
		const { missing, manifest } = await download({ records: {} });
		expect(whys(missing).slice(1)).toEqual([
			['notarized_document', 'failed', 'Notarized documents'],
			['notarization_record', 'failed', 'Notarization record'],
			['recording', 'failed', 'Recording'],
			['identity_image', 'failed', 'Identity images'],
		]);
		expect(missing[1].message).toMatch(/although the service lists it/);
		expect(manifest).toHaveLength(6);
	});
	describe('of a closing whose documents are shown before its record', () => {
		const late = (document: IDataObject, more: IDataObject = {}) => ({
			...CLOSING,
			attachments: [],
			documents: [
				liveDocument({
					id: 'do_1',
					document_name: 'Deed of Trust',
					final_document_url: 'LINK/deed',
					requirement: 'readonly',
					allowed_actions: [],
					permissions: [],
					...document,
				}),
			],
			notarization_record: undefined,
			...more,
		});
		const OF_RECORD = [
			['notarized_document', 'not_ready', 'Notarized documents'],
			['notarization_record', 'not_ready', 'Notarization record'],
			['recording', 'not_ready', 'Recording'],
		];
		test.each<[string, IDataObject]>([
			['requirement', { requirement: 'notarization' }],
			['flag', { notarization_required: true }],
			['words', { permissions: ['NOTARIZATION_REQUIRED'] }],
		])('is what a record has of a document that is notarized by its %s', async (_what, shown) => {
			const { json, missing } = await download({ closing: late(shown) });
			expect(whys(missing)).toEqual(OF_RECORD);
			expect(json).toMatchObject({ complete: false, missing_count: 3 });
			expect(missing[2].message).toMatch(
				/^The service shows no notarization record, although Deed of Trust needed a notary\. .*Run the node again/,
			);
		});
		test.each<[string, IDataObject, IDataObject?]>([
			['a document that is only signed', { requirement: 'esign' }],
			['one that only confirms an identity', { requirement: 'identity_confirmation' }],
			['one that was rejected', { requirement: 'notarization', rejection_reason: 'Blurred' }],
			[
				'one that is signed on paper',
				{ requirement: 'notarization' },
				{ transaction_type: 'hybrid_refinance' },
			],
			[
				'one that is signed on paper after all',
				{ requirement: 'notarization' },
				{ detailed_status: 'wet_sign_complete' },
			],
		])('is nothing of %s', async (_what, shown, more = {}) => {
			const { json, missing } = await download({ closing: late(shown, more) });
			expect([missing, json.complete]).toEqual([[], true]);
		});
		test('is what was chosen of it, and fails the item where that was chosen', async () => {
			const { said, items } = await download({
				closing: late({ requirement: 'notarization' }),
				parameters: { include: ['document', 'recording'], ifMissing: 'fail' },
			});
			expect(items).toEqual([]);
			expect(said).toMatch(/^Recording is missing: The service shows no notarization record/);
		});
		test('waits for the transaction while that goes on', async () => {
			const state = { status: 'sent', detailed_status: 'meeting_in_progress' };
			const { missing } = await download({
				closing: late({ requirement: 'notarization' }, state),
				parameters: { include: ['recording', 'manifest'] },
			});
			expect(whys(missing)).toEqual([['recording', 'not_completed', 'Recording']]);
		});
		test('is nothing that an earlier run has', async () => {
			const earlierManifest = (await download()).manifest as never;
			const { missing } = await download({
				closing: late({ requirement: 'notarization' }),
				parameters: { earlierManifest },
			});
			expect(missing).toEqual([]);
		});
		test('is what its record lists none of', async () => {
			const { missing } = await download({
				closing: late({ requirement: 'notarization' }, { notarization_record: 'me_1' }),
				records: { me_1: { ...RECORD, notarized_documents: [] } },
			});
			expect(whys(missing)).toEqual(OF_RECORD.slice(0, 1));
			expect(missing[0].message).toMatch(/^The notarization record lists no documents, although/);
		});
	});
	test('of a completed transaction that shows no document: its documents', async () => {
		const { json, missing } = await download({
			closing: { ...CLOSING, documents: [] },
			parameters: { include: ['document', 'audit_trail'] },
		});
		expect(whys(missing)).toEqual([['document', 'not_ready', 'Documents']]);
		expect(json.complete).toBe(false);
	});
	test('fails an item that has nothing else to give', async () => {
		const { items, said } = await download({
			closing: liveClosing([liveDocument({ id: 'do_1' })], {
				status: 'sent',
				detailed_status: undefined,
			}),
			parameters: { include: ['document'], returnAs: 'files' },
		});
		expect(items).toEqual([]);
		expect(said).toMatch(
			/^Deed of Trust is missing: The transaction isn't completed \(sent\)\. Start/,
		);
	});
});

describe('where what is missing fails the item', () => {
	const late = { records: { me_1: { ...RECORD, video_url: null } } };
	const parameters = {
		ifMissing: 'fail',
		returnAs: 'files',
		include: ['document', 'audit_trail', 'recording'],
	};

	const SAYS = /^Recording is missing: The recording isn't ready yet\. It can take/;
	test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'with %s, the failure alone comes out, and nothing is downloaded',
		async (onError) => {
			const { items, errorItems, error, said, asked } = await download({
				...late,
				parameters,
				run: { node: { onError } },
			});
			expect(asked.filter((path) => path.startsWith('/file'))).toEqual([]);
			const failed = { json: { error: expect.stringMatching(SAYS) }, pairedItem: { item: 0 } };
			expect(items).toEqual(onError === 'continueRegularOutput' ? [failed] : []);
			expect(errorItems).toEqual(onError === 'continueErrorOutput' ? [failed] : []);
			expect(error === undefined ? undefined : said).toEqual(
				onError === 'stopWorkflow' ? expect.stringMatching(SAYS) : undefined,
			);
		},
	);
	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'with %s, neither do the others come out if only a download fails',
		async (onError) => {
			const { items, errorItems } = await download({
				parameters,
				disturb: ({ path }) => (path.endsWith('/trail') ? { status: 422 } : undefined),
				run: { node: { onError } },
			});
			expect(items).toEqual([]);
			expect(errorItems).toHaveLength(onError === 'continueErrorOutput' ? 1 : 0);
		},
	);
	test('several files are named, and each says why', async () => {
		const documents = Array.from({ length: 8 }, (_, index) =>
			liveDocument({ id: `do_${index}`, document_name: `Deed ${index}` }),
		);
		const { said } = await download({
			...late,
			closing: { ...CLOSING, documents },
			parameters,
		});
		const named = 'Deed 0, Deed 1, Deed 2, Deed 3, Deed 4';
		expect(said.startsWith(`9 of 10 files are missing: ${named}, 4 more. `)).toBe(true);
		expect(said).toContain(`. ${named}, 3 more: The service gives no link to it, although `);
		expect(said).toContain(". Recording: The recording isn't ready yet. ");
	});
	test('nothing fails if everything is there', async () => {
		const { error, errorItems } = await download({
			parameters,
			run: { node: { onError: 'continueErrorOutput' } },
		});
		expect([error, errorItems]).toEqual([undefined, []]);
	});
});

describe('links', () => {
	test('that have expired are retrieved again once for all of them', async () => {
		const { manifest, missing, asked } = await download({
			closing: { ...CLOSING, attachments: [] },
			// Links of the first two answers, which are the closing and its record, are refused.
			disturb: ({ path }) => (/^\/file\/[12]\//.test(path) ? { status: 403 } : undefined),
		});
		expect(missing).toEqual([]);
		expect(manifest).toHaveLength(10);
		expect(asked.filter((path) => !path.startsWith('/file'))).toHaveLength(4);
	});
	test('of another file are never taken', async () => {
		const { missing } = await download({
			parameters: { include: ['document'] },
			disturb: ({ path }, retrieved) => {
				if (path.startsWith('/file/1/')) return { status: 403 };
				return retrieved > 1 && path.endsWith('/ot_od4kenk')
					? {
							body: {
								...CLOSING,
								documents: [liveDocument({ id: 'do_9', final_document_url: 'LINK/deed' })],
							},
						}
					: undefined;
			},
		});
		expect(whysOf(missing)).toEqual(['failed']);
	});
	const whysOf = (missing: IDataObject[]) => missing.map(({ why }) => why);
});

describe('an earlier manifest', () => {
	const include = ['document', 'enote', 'audit_trail', 'recording'];
	const first = async () => (await download({ parameters: { include } })).manifest;
	const again = async (earlierManifest: unknown, more: IDataObject = {}, scene: Scene = {}) => {
		const parameters = { include, returnAs: 'files', earlierManifest, ...more } as IDataObject;
		const outcome = await download({ ...scene, parameters });
		return {
			...outcome,
			kinds: kindsOf(outcome.items.map(({ json }) => json)),
			files: outcome.asked.filter((path) => path.startsWith('/file')),
		};
	};

	test('spares what it has', async () => {
		const had = await first();
		await forEachCase([had, JSON.stringify(had), { manifest: had }], async (given) => {
			const { kinds, files, error } = await again(given);
			expect(error).toBeUndefined();
			expect([kinds, files]).toEqual([[], []]);
		});
		const { kinds, files } = await again(had.slice(1), { include: [...include, 'manifest'] });
		expect(kinds).toEqual(['document', 'manifest']);
		expect(files).toHaveLength(1);
	});
	test('goes on in the next one, whose names stay', async () => {
		const had = await first();
		const rest = had
			.filter(({ kind }) => kind !== 'audit_trail')
			.map((row) => (row.kind === 'document' ? { ...row, file_name: 'AUDIT TRAIL.pdf' } : row));
		const next = await again(rest, { include: [...include, 'manifest'] });
		expect(next.items.at(-1)!.json).toMatchObject({
			complete: true,
			file_count: 4,
			new_count: 1,
		});
		// A file system may take the two for the same.
		expect(namesOf(next.items.at(-1)!.json.manifest as IDataObject[])).toEqual([
			'AUDIT TRAIL.pdf',
			'enote.xml',
			'Audit trail (2).pdf',
			'Recording.mp4',
		]);
	});
	test('keeps what the service no longer shows, and what is no longer wanted', async () => {
		const had = await first();
		const { json } = await download({
			closing: { ...CLOSING, documents: [] },
			parameters: { include: ['document', 'recording'], earlierManifest: had as never },
		});
		expect(kindsOf(json.manifest as IDataObject[])).toEqual([
			'recording',
			'document',
			'enote',
			'audit_trail',
		]);
	});
	test('of other transactions, and of what is missing, is left alone', async () => {
		const had = await first();
		const others = had.map((row) => ({ ...row, transaction_id: 'ot_other' }));
		expect((await again(others)).kinds).toHaveLength(4);
		const of = had.map(({ kind, id: one }) => ({ kind, id: one, transaction_id: 'otod4kenk' }));
		expect((await again(of)).kinds).toEqual([]);
		// What was saved once isn't missing because the service has no link any more.
		const unreleased = await again(
			had,
			{},
			{ closing: { ...CLOSING, documents: [{ ...DOCUMENTS[0], final_document_url: null }] } },
		);
		expect(unreleased.error).toBeUndefined();
	});
	test.each<[string, unknown, RegExp]>([
		['no list', '{"files": 3}', /^'Earlier Manifest' isn't a list of files\. Point/],
		['no JSON', '[{"kind"', /^'Earlier Manifest' isn't valid JSON/],
		[
			'a row without an ID',
			[{ kind: 'document' }],
			/^'Earlier Manifest', entry 1: has no 'kind' and 'id'/,
		],
		[
			'a kind that there is not',
			[
				{ kind: 'enote', id: 'do_2' },
				{ kind: 'documents', id: 'do_1' },
			],
			/^'Earlier Manifest', entry 2: 'kind' is 'documents'/,
		],
	])('that is %s is refused before anything is sent', async (_what, given, expected) => {
		const { said, asked } = await again(given);
		expect(said).toMatch(expected);
		expect(asked).toEqual([]);
	});
});

describe('the names of files', () => {
	const named = async (fileNames: string, closing: IDataObject = CLOSING) => {
		const include = ['document', 'enote', 'audit_trail', 'manifest', 'attachment'];
		const { items, said } = await download({ closing, parameters: { include, fileNames } });
		return items.length === 0
			? said
			: Object.values(items[0].binary!).map(({ fileName }) => fileName);
	};
	test('follow the pattern', async () => {
		expect(await named('{loan_number} {number} {document_name}')).toEqual([
			'7001 01 Deed of Trust.pdf',
			'7001 02 enote.xml',
			'7001 03 Audit trail.pdf',
			'7001 04 Letter.docx',
			'7001 00 Manifest.json',
		]);
		expect(await named('{transaction_id}/{document_id} {kind}: {file_number}')).toEqual([
			'ot_od4kenk do_1 document.pdf',
			'ot_od4kenk do_2 enote.xml',
			'ot_od4kenk audit_trail.pdf',
			'ot_od4kenk attachment.docx',
			'ot_od4kenk manifest.json',
		]);
	});
	test('are distinct, whatever the documents are called', async () => {
		const documents = ['Deed', 'DEED', 'deed.pdf', 'CON', '../..', 'a. ', 'A'].map((name, index) =>
			liveDocument({
				id: `do_${index}`,
				document_name: name,
				final_document_url: 'LINK/deed',
			}),
		);
		const closing = { ...CLOSING, documents, attachments: [] };
		expect(await named('{document_name}', closing)).toEqual([
			'Deed.pdf',
			'DEED (2).pdf',
			'deed (3).pdf',
			'_CON.pdf',
			'file.pdf',
			'a.pdf',
			'A (2).pdf',
			'Audit trail.pdf',
			'Manifest.json',
		]);
	});
	test.each([
		[
			'{loan} {Document Name}',
			/^'File Names' has \{loan\}, \{Document Name\}, which isn't a placeholder\. Use \{document_id\}, /,
		],
		['{loan_number', /^'File Names' has a brace without its counterpart/],
		[
			'{{ $json.loan_number }}',
			/^'File Names' has \{ \$json\.loan_number \}, which isn't a placeholder/,
		],
		[' ', /^'File Names' is empty/],
	])(
		'%s: a placeholder that there is not is refused before anything is sent',
		async (fileNames, expected) => {
			const { said, asked } = await download({ parameters: { fileNames } });
			expect(said).toMatch(expected);
			expect(asked).toEqual([]);
		},
	);
	test('a brace in the name of a document is no placeholder', async () => {
		const documents = [{ ...DOCUMENTS[0], document_name: 'Deed {kind} $&' }];
		expect(await named('{document_name}', { ...CLOSING, documents, attachments: [] })).toContain(
			'Deed {kind} $&.pdf',
		);
	});
});
