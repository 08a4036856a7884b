import type { IDataObject } from 'n8n-workflow';

import type { FaultSpec } from '../../../../sandbox/http/faults.mts';
import {
	CLOSING,
	completedClosing,
	createClosing,
	fieldsIn,
	id,
	toForm,
} from '../../../support/closing.mts';
import { accounts, runNode, type RunOptions } from '../../../support/engine.mts';
import { liveClosing, liveDocument } from '../../../support/live/answers.mts';
import { changingService } from '../../../support/live/changingService.mts';
import { withService, type Answer } from '../../../support/live/service.mts';
import { run, sendClosing } from '../../../support/operations.mts';
import { until } from '../../../support/until.mts';
import { credential, sandbox } from '../../../support/useSandbox.mts';
import { correct, draft, on, refuse, type Person } from '../person.mts';

/** Messages of reading, of the way to the service, of credentials, files and webhooks. */

type Play = (person: Person) => Promise<void>;
type Options = Partial<RunOptions>;

const get = (closing: string) => on(closing, 'get');

/** A read goes wrong as long as this lasts. */
const disturbed =
	(fault: FaultSpec, reads: string[], options: Options = {}): Play =>
	async (person) => {
		const closing = await createClosing(credential());
		const end = sandbox.faults.begin({
			method: 'GET',
			path: closing,
			times: Infinity,
			...fault,
		});
		await person.fails(get(closing), options);
		person.reads(...reads);
		end();
		accounts.clear();
		await run(get(closing));
	};

/** Something in the credential is wrong, until it's corrected as the message says. */
const withCredential =
	(wrong: IDataObject, ...reads: string[]): Play =>
	async (person) => {
		const closing = await createClosing(credential());
		await person.fails(get(closing), { credential: credential(wrong as never) });
		person.reads(...reads);
		await run(get(closing));
	};

const FILE = Buffer.from('%PDF-1.7\nfinal\n%%EOF\n');
/** A document is downloaded, and the service sends something else the first time. */
const downloaded =
	(
		{ file, data, host = '127.0.0.1' }: { file?: Answer; data?: string; host?: string },
		reads: string[],
		documentId = 'do_1',
	): Play =>
	async (person) => {
		let first = true;
		const isFile = file !== undefined || data === undefined;
		let url = '';
		await withService(
			({ path }) => {
				if (path === '/file') return first && file ? file : { body: FILE };
				const leadsTo = first ? host : '127.0.0.1';
				const link = isFile ? `${url.replace('127.0.0.1', leadsTo)}/file` : null;
				const document = liveDocument({ id: 'do_1', final_document_url: link });
				if (path.endsWith('/documents/do_1'))
					return { body: { ...document, data: first ? data : FILE.toString('base64') } };
				return {
					body: liveClosing([document], { status: 'completed', detailed_status: 'complete' }),
				};
			},
			async (service) => {
				({ url } = service);
				const download = (which: string) => ({
					resource: 'document',
					operation: 'download',
					platform: 'realEstate',
					transactionId: id('ot_od4kenk'),
					documentId: id(which),
					version: isFile ? 'final' : 'current',
					binaryPropertyName: 'data',
				});
				const own = { credential: service.credential };
				await person.fails(download(documentId), own);
				person.reads(...reads);
				first = false;
				const { error } = await runNode({ ...own, parameters: download('do_1') });
				expect(error).toBeUndefined();
			},
		);
	};

const AGAIN = 'Run the node again';
const BASE_URL = "Check 'Base URL' in the credential";

export const OTHERS: Record<string, Play> = {
	'code: unexpectedAnswer': disturbed({ kind: 'notJson' }, [BASE_URL]),
	'code: otherAnswered': disturbed(
		{ status: 200, body: { id: 'ot_other', status: 'started', documents: [], signers: [] } },
		['ot_other', 'running the node again'],
	),
	'code: unexpectedList': async (person) => {
		const list = on('', 'getAll', { returnAll: true });
		sandbox.faults.add({ method: 'GET', path: 'transactions', status: 200, body: {} });
		await person.fails(list);
		await person.again('Run the node again in a minute', list);
	},
	'code: listBrokenOff': async (person) => {
		const fields = {
			...fieldsIn(CLOSING),
			loan_number: '7040',
			ifExists: 'return',
			matchBy: 'loan_number',
		};
		const body = { total_count: 3, count: 0, data: [] };
		sandbox.faults.add({ method: 'GET', path: /transactions\/?$/, status: 200, body });
		await person.fails({ ...CLOSING, ...toForm(fields) });
		person.reads('listed 0 of 3', 'Nothing was created');
		await person.again('Run the node again in a minute', { ...CLOSING, ...toForm(fields) });
	},
	'code: notDone': async (person) => {
		const closing = await draft();
		const { json } = await run(on(closing, 'get', { output: 'raw' }));
		const body = { ...json, id: closing };
		sandbox.faults.add({ method: 'POST', path: 'place_order', status: 200, body });
		const limits = { lookUpMs: 50, lookUpPauseMs: 10, absentAfterMs: 1 };
		await person.fails(sendClosing(id(closing)), { limits });
		person.reads('still a draft');
		// The service has answered, and done nothing.
		sandbox.requests.length = 0;
		await person.again(AGAIN, sendClosing(id(closing)));
	},
	'code: unusableId': async (person) => {
		const closing = await createClosing(credential());
		await person.fails(get('..'));
		await person.again('enter its ID', get(closing));
	},
	'code: unusableLink': async (person) => {
		const closing = await completedClosing(sandbox, credential());
		const { json } = await run(on(closing, 'get', { output: 'raw' }));
		const body = { ...json, id: closing, audit_trail_url: 'http://' };
		sandbox.faults.add({ method: 'GET', path: closing, status: 200, body });
		const trail = on(closing, 'getAuditTrail', { binaryPropertyName: 'data' });
		await person.fails(trail);
		await person.again(AGAIN, trail);
	},
	'code: noContent': downloaded({ data: '' }, ['Run the node again in a minute']),
	'code: unreadableContent': downloaded({ data: '%%%' }, ['Run the node again in a minute']),
	'code: emptyFile': downloaded({ file: { body: '' } }, ['Run the node again in a minute']),
	'code: unexpectedFile': downloaded({ file: { body: '<html></html>' } }, [
		'Run the node again in a minute',
	]),
	'code: incompleteFile': downloaded(
		{
			file: {
				respond: (response) => {
					response.writeHead(200, { 'content-length': '100' });
					response.write('%PDF-1.7');
					setImmediate(() => response.destroy());
				},
			},
		},
		[AGAIN],
	),
	'code: documentNotInTransaction': downloaded(
		{ file: { body: FILE } },
		['Choose one from the list'],
		'do_9',
	),
	// Nothing listens there. An address and no name: names can take minutes where no DNS answers.
	'other: link': downloaded({ host: '[::1]' }, ["can't be opened", AGAIN]),
	'code: signerNotWritable': async (person) => {
		const people = [
			{ email: 'wrong@example.com', first_name: 'Jane', external_id: 's1' },
			{ email: 'joe@example.com', first_name: 'Joe', external_id: 's2' },
		];
		const now = {
			fields: { transaction_name: 'A', transaction_type: 'refinance' },
			signers: people,
			status: 'sent',
			detailed_status: 'sent_to_signer',
		};
		const usual = changingService(now, { put: 'replace' });
		const withoutJoe = (answer: Answer | undefined): Answer => ({
			body: JSON.parse(
				JSON.stringify(answer?.body, (name, value: unknown) =>
					name === 'email' && value === 'joe@example.com' ? undefined : value,
				),
			) as object,
		});
		await withService(
			(request) => withoutJoe(usual(request)),
			async (service) => {
				const own = { credential: service.credential };
				const jane = (more: IDataObject) =>
					correct('ot_held001', { signerId: id('s1'), closingSettings: {}, ...more });
				await person.fails(jane({ settingsNotShown: 'none' }), own);
				person.reads('Nothing was changed', "'Settings Not Shown': Set Below");
				const row = {
					signerId: id('s2'),
					details: { additionalJson: '{"email":"joe@example.com"}' },
				};
				await person.again(
					"'Additional Fields (JSON)'",
					jane({ settingsNotShown: 'set', signerSettings: { row: [row] } }),
					own,
				);
				expect(now.signers.map(({ email }) => email)).toEqual([
					'right@example.com',
					'joe@example.com',
				]);
			},
		);
	},
	'code: documentsPending': async (person) => {
		const closing = await draft();
		const document = sandbox.world.transactions.get(closing)!.documents.at(-1)!;
		document.state = 'pending';
		const send = { ...sendClosing(id(closing)), additionalFields: { wait_for_documents: 0 } };
		await person.fails(send);
		person.reads('Nothing was sent');
		document.state = 'done';
		await person.again('Run the node again in a minute', send);
	},
	'code: splitRunning': async (person) => {
		const closing = await draft();
		const rules = (numberOfDocuments: number, waitMinutes = 0) => ({
			resource: 'document',
			operation: 'applyRules',
			platform: 'realEstate',
			transactionId: id(closing),
			documentRules: { row: [{ nameContains: '*', requirement: 'notarization' }] },
			ifSplitRunning: 'wait',
			waitMinutes,
			numberOfDocuments,
			settingsNotShown: 'none',
		});
		await person.fails(rules(5));
		person.reads('Nothing was changed');
		person.reads("raise 'Wait Up To'");
		await person.again("correct 'Number of Documents'", rules(1, 1));
	},
	'code: notSent': async (person) => {
		const closing = await createClosing(credential());
		await person.fails(get(closing), {
			credentialError: new Error('Credential with ID "7" does not exist'),
		});
		await person.again('Select the credential in the node again', get(closing));
	},
	'text: invalid subscription': async (person) => {
		const create = (events: string[]) => ({
			resource: 'webhook',
			operation: 'create',
			url: `${sandbox.url}/samples/nothing`,
			events,
			additionalFields: {},
		});
		refuse('POST', 'webhooks', 422, 'Invalid subscription passed');
		await person.fails(create(['transaction.canceled']));
		await person.again("Choose events in 'Event Names or IDs'", create(['transaction.completed']));
	},
	'code: unusableBaseUrl': withCredential({ baseUrl: '' }, "'Base URL' in the credential"),
	'base URL: empty': withCredential({ baseUrl: '' }, 'Enter the address of the service'),
	'base URL: incomplete': withCredential({ baseUrl: 'api.example.com' }, 'Start it with https://'),
	'base URL: notHttps': withCredential({ baseUrl: 'ftp://api.example.com' }, 'https://'),
	'base URL: unencrypted': withCredential({ baseUrl: 'http://api.example.com' }, 'unencrypted'),
	'base URL: hasUserInfo': withCredential(
		{ baseUrl: 'https://me:secret@api.example.com' },
		"put the key into 'API Key'",
	),
	'base URL: hasQuery': withCredential({ baseUrl: 'https://api.example.com/?a=1' }, "from '?'"),
	'code: missingApiKey': withCredential({ apiKey: '' }, 'Enter the key'),
	'code: unusableApiKey': withCredential({ apiKey: 'kéy→' }, 'Copy the key'),
	'status: unknownKey': withCredential({ apiKey: 'unknown' }, "Check 'API Key'"),
	'status: forbidden': withCredential({ apiKey: 'demo-client-only-key' }, 'full-access key'),
	'status: notFound': async (person) => {
		const closing = await createClosing(credential());
		await person.fails(get('ot_nowhere'));
		await person.again("choose from the list in 'Transaction'", get(closing));
	},
	'status: limited': disturbed({ status: 429, headers: { 'retry-after': '4000' }, body: {} }, [
		'Run the node again in 67 minutes',
	]),
	'fault: new RegExp(`^${EXECUTION_STOPPED}$`)': async (person) => {
		const closing = await createClosing(credential());
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'GET', path: closing, delayMs: 3_600_000 });
		const cancelled = until(() => sandbox.requests.some(({ method }) => method === 'GET'));
		await person.fails(get(closing), { cancelled });
		await person.again('Run the workflow again', get(closing));
	},
	'fault: /ECONNREFUSED/': withCredential(
		{ baseUrl: 'http://127.0.0.1:9' },
		"Check the address and the port of 'Base URL'",
	),
	'fault: /ENOTFOUND|EAI_AGAIN/': withCredential({ baseUrl: 'https://nowhere.invalid' }, BASE_URL),
	'fault: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|SSL/': async (person) => {
		const baseUrl = sandbox.url.replace('http:', 'https:');
		await withCredential({ baseUrl }, "'Base URL' in the credential")(person);
	},
	'fault: /ETIMEDOUT|ECONNABORTED|ESTALLED|timeout/i': disturbed(
		{ delayMs: 3_600_000 },
		["didn't answer in time", AGAIN],
		{ limits: { readMs: 200 } },
	),
	'fault: /^ANSWER_CUT$/': disturbed({ kind: 'cutMidBody' }, ['broke off', AGAIN]),
	'fault: /^ANSWER_SLOW$/': disturbed({ kind: 'stall' }, ['too slowly', AGAIN], {
		limits: { answerMs: 200 },
	}),
	'fault: /^ANSWER_TOO_BIG$/': disturbed(
		{ status: 200, body: 'x'.repeat(200_000) },
		['too big', BASE_URL],
		{ limits: { answerBytes: 100_000 } },
	),
	'fault: /ECONNRESET|EPIPE|socket hang up|aborted|ERR_STREAM/i': disturbed({ kind: 'cutBefore' }, [
		'was cut',
		AGAIN,
	]),
	'other: redirect': disturbed({ status: 302, headers: { location: 'https://a.example' } }, [
		BASE_URL,
		'a.example',
	]),
	'other: unavailable': disturbed({ status: 503, body: {} }, ['Run the node again in']),
};
