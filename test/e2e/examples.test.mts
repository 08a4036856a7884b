import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import type { Execution } from '../../host/clients/n8n/types.mts';
import { SandboxConsole } from '../../host/clients/sandboxConsole.mts';
import { checkArchive } from '../../host/demo/checkArchive.mts';
import { makeOpenClosings } from '../../host/demo/openClosings.mts';
import { readExample } from '../../host/demo/exampleWorkflows.mts';
import { OFFICE_MAIL, startMailbox, TEAM_MAIL, type Mailbox } from '../../host/mailbox/mailbox.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import { forEachCase } from '../support/forEachCase.mts';
import { submitForm } from './support/forms.mts';
import { startHost, type Host } from './support/host.mts';

/**
 * The example workflows in a real n8n, with a mailbox that receives their messages and emails.
 */

let host: Host;
let mailbox: Mailbox;
let chatMessages: string[];
let emails: string[];
let workflowIds: Record<
	| 'closing'
	| 'steps'
	| 'sheet'
	| 'joint'
	| 'form'
	| 'papers'
	| 'route'
	| 'nightly'
	| 'archive'
	| 'changes'
	| 'unsigned'
	| 'attention',
	string
>;
beforeAll(async () => {
	mailbox = await startMailbox();
	({ chatMessages, emails } = mailbox);
	host = await startHost();
	mkdirSync(host.folder, { recursive: true });
	const mailCredentials = await mailbox.saveCredentials(host.api);
	const places = {
		sandboxUrl: host.sandbox.url,
		archiveFolder: host.folder,
		chatUrl: mailbox.chatUrl,
		teamMail: TEAM_MAIL,
		fromMail: OFFICE_MAIL,
	};
	const credentials = { ...host.credentials, ...mailCredentials };
	const save = async (name: string) =>
		(await host.api.workflows.save(readExample(name, places, credentials))).id;
	workflowIds = {
		closing: await save('refinance-closing'),
		steps: await save('refinance-step-by-step'),
		sheet: await save('closings-from-a-sheet'),
		joint: await save('joint-borrowers'),
		form: await save('form-to-signing'),
		papers: await save('papers-from-a-form'),
		route: await save('route-by-status'),
		nightly: await save('nightly-reconciliation'),
		archive: await save('archive-completed-transactions'),
		changes: await save('changes-without-a-webhook'),
		unsigned: await save('who-has-not-signed'),
		attention: await save('needs-attention'),
	};
});
afterAll(async () => {
	await host?.stop();
	await mailbox?.close();
});
beforeEach(() => {
	chatMessages.length = 0;
	emails.length = 0;
});

/** Runs the first example. Returns the ID of the closing that it sends to a signer. */
async function sendClosing(): Promise<string> {
	const run = await host.api.executions.runToEnd(workflowIds.closing);
	expect(failureReason(run)).toBe('');
	return String(outputJson(run, 'Create and send closing')[0].transaction_id);
}

/** Runs the same with a node for each step. Returns the ID of its closing. */
async function sendStepByStep(): Promise<string> {
	const run = await host.api.executions.runToEnd(workflowIds.steps);
	expect(failureReason(run)).toBe('');
	return String(outputJson(run, 'Send closing')[0].transaction_id);
}

/** Submits the form of a loan's PDFs. */
async function submitPapers(email: string, state = 'MA') {
	const load = async (name: string) => {
		const pdf = await fetch(`${host.sandbox.url}/samples/${name}`);
		return new File([await pdf.arrayBuffer()], name, { type: 'application/pdf' });
	};
	const names = ['deed-of-trust', 'borrower-affidavit', 'closing-disclosure'];
	const papers = await Promise.all(names.map(async (name) => await load(`${name}.pdf`)));
	const person = ['7005100', 'Jane', 'Miller', email, '6175550123'];
	const place = ['100 Harbor Street', 'Boston', state, '02110'];
	return await submitForm(host, workflowIds.papers, [...person, ...place, ...papers]);
}

/** Runs the same with its PDFs from a form. Returns the ID of its closing. */
async function sendPapersOfForm(): Promise<string> {
	const run = await submitPapers('jane.m@example.com');
	expect(run.lastPage).toContain('The closing was sent');
	return String(outputJson(run, 'Create and send closing')[0].transaction_id);
}

/** Runs `work` and waits for the executions of the routing workflow that it starts. */
async function waitForRouting(count: number, work: () => Promise<unknown>): Promise<Execution[]> {
	const before = new Set((await host.api.executions.list(workflowIds.route)).map(({ id }) => id));
	await work();
	const executions = await host.api.executions.waitForFinished(workflowIds.route, count, {
		except: before,
	});
	forEachCase(executions, (execution) => expect(failureReason(execution)).toBe(''));
	return executions;
}

/** The files of a closing that every archive needs: its documents and the audit trail. */
async function requiredFiles(transactionId: string) {
	return (await new SandboxConsole(host.sandbox.url).files(transactionId)).filter(
		({ kind }) => kind === 'document' || kind === 'auditTrail',
	);
}

const archivedNames = (transactionId: string) =>
	readdirSync(host.folder).filter((name) => name.startsWith(transactionId));

test('the examples are those that are tested here', () => {
	expect(readdirSync(join(ROOT, 'examples')).sort()).toEqual([
		'archive-completed-transactions.json',
		'changes-without-a-webhook.json',
		'closings-from-a-sheet.json',
		'form-to-signing.json',
		'joint-borrowers.json',
		'needs-attention.json',
		// Its test is newPapers.
		'new-papers.json',
		'nightly-reconciliation.json',
		'papers-from-a-form.json',
		'refinance-closing.json',
		'refinance-step-by-step.json',
		'route-by-status.json',
		// Its test is longWait.
		'send-wait-remind-archive.json',
		'who-has-not-signed.json',
	]);
});

test('refinance, in one node, step by step and from a form: all send the same documents', async () => {
	const ids = [await sendClosing(), await sendStepByStep(), await sendPapersOfForm()];
	const [one, other, ofForm] = ids.map((id) => host.sandbox.world.transactions.get(id)!);
	const kept = ({ documents }: typeof one) =>
		documents.map(({ name, requirement, designations, isEnote }) => ({
			name: name.toLowerCase().replaceAll('-', ' '),
			requirement,
			places: designations.length,
			isEnote,
		}));
	expect(kept(one)).toEqual(expect.arrayContaining(kept(other)));
	expect(kept(one)).toHaveLength(kept(other).length);
	// The form's note is on paper.
	const onPaper = kept(one).filter(({ isEnote }) => !isEnote);
	expect(kept(ofForm)).toHaveLength(onPaper.length);
	expect(kept(ofForm)).toEqual(expect.arrayContaining(onPaper));
	forEachCase([one, other, ofForm], ({ status, id }) => {
		expect(status).toBe('sent');
		host.sandbox.world.transactions.delete(id);
	});
});

test('closings from a sheet: 30 rows become 30 closings', async () => {
	const run = await host.api.executions.runToEnd(workflowIds.sheet);
	expect(failureReason(run)).toBe('');
	const rows = outputJson(run, 'One item a row');
	const closings = outputJson(run, 'Create closings');
	expect(closings).toHaveLength(30);
	expect(closings.map(({ loan_number: number }) => number)).toEqual(
		rows.map((row) => String(row['Loan #'])),
	);
	forEachCase(closings, ({ transaction_id: transactionId }) =>
		expect(host.sandbox.world.transactions.get(String(transactionId))?.detailedStatus).toBe(
			'draft',
		),
	);
	const again = await host.api.executions.runToEnd(workflowIds.sheet);
	expect(failureReason(again)).toBe('');
	const idsOf = (run: Execution) =>
		outputJson(run, 'Create closings').map(({ transaction_id: one }) => one);
	expect(idsOf(again)).toEqual(idsOf(run));
	const couples = rows.filter((row) => row['Co-Borrower E-Mail'] !== '');
	expect(couples.length).toBeGreaterThan(5);
	const signersOf = ({ transaction_id: id }: Record<string, unknown>) =>
		host.sandbox.world.transactions.get(String(id))!.signers;
	expect(closings.filter((closing) => signersOf(closing).length === 2)).toHaveLength(
		couples.length,
	);
});

/** The baselines of the labels on the last page of the sample papers, by who signs there. */
const SIGNED_AT = {
	single: { 'jane.miller@example.com': 164 },
	joint: { 'ann.alvarez@example.com': 234, 'luis.alvarez@example.com': 164 },
	trustee: { 'tess.doe@example.com': 164 },
};

test('single and joint borrowers: the same nodes place for one, for two and for a trustee', async () => {
	const run = await host.api.executions.runToEnd(workflowIds.joint);
	expect(failureReason(run)).toBe('');
	const [single, joint, trustee] = outputJson(run, 'Create and send closings');
	expect((single.left_out as Array<{ signer: string }>).map(({ signer }) => signer)).toEqual(
		Array.from({ length: 6 }, () => 'Co-Borrower'),
	);
	expect(joint.left_out).toEqual([]);
	// Only the first row has a rider.
	const cases = [
		[single, SIGNED_AT.single, ['notarization', 'esign', 'esign']],
		[joint, SIGNED_AT.joint, ['notarization', 'esign']],
		[trustee, SIGNED_AT.trustee, ['notarization', 'esign']],
	] as const;
	forEachCase(cases, ([{ transaction_id: id }, people, requirements]) => {
		const { status, signers, documents } = host.sandbox.world.transactions.get(String(id))!;
		expect(status).toBe('sent');
		expect(signers.map(({ email }) => email)).toEqual(Object.keys(people));
		const own = documents.filter(({ isConsentForm }) => !isConsentForm);
		expect(own.map(({ requirement }) => requirement)).toEqual(requirements);
		forEachCase(own, ({ designations }) =>
			forEachCase(Object.entries(people), ([email, baseline]) => {
				const signer = signers.find((one) => one.email === email)!;
				const places = designations.filter(
					({ signer_identifier: whose }) => whose === signer.external_id,
				);
				expect(places.map(({ type, x }) => [type, x])).toEqual([
					['signature', 72],
					['date_signed', 320],
				]);
				forEachCase(places, ({ y }) => {
					expect(y).toBeGreaterThan(baseline);
					expect(y).toBeLessThanOrEqual(baseline + 20);
				});
			}),
		);
	});
	const again = await host.api.executions.runToEnd(workflowIds.joint);
	expect(failureReason(again)).toBe('');
	const idsOf = (execution: Execution) =>
		outputJson(execution, 'Create and send closings').map(({ transaction_id: id }) => id);
	expect(idsOf(again)).toEqual(idsOf(run));
	for (const id of idsOf(run)) host.sandbox.world.transactions.delete(String(id));
});

describe('forms', () => {
	test('a PDF of a form is added to its closing, placed and sent', async () => {
		const pdf = await fetch(`${host.sandbox.url}/samples/deed-of-trust.pdf`);
		const deed = new File([await pdf.arrayBuffer()], 'deed.pdf', { type: 'application/pdf' });
		const person = ['7005001', 'Jane', 'Miller', 'jane@example.com'];
		const place = ['100 Harbor Street', 'Boston', 'MA', '02110'];
		const execution = await submitForm(host, workflowIds.form, [...person, ...place, deed]);
		const [{ transaction_id: id, status }] = outputJson(execution, 'Send closing');
		expect(status).toBe('sent');
		const { documents } = host.sandbox.world.transactions.get(String(id))!;
		const added = documents.find(({ name }) => name === 'Deed of Trust')!;
		expect(added.uploaded.equals(Buffer.from(await deed.arrayBuffer()))).toBe(true);
		expect(added.designations).toHaveLength(4);
		expect(execution.lastPage).toContain('The closing was sent');
		// Somebody submits it once more.
		const again = await submitForm(host, workflowIds.form, [...person, ...place, deed]);
		expect(outputJson(again, 'Send closing')[0]).toMatchObject({ transaction_id: id });
		expect(documents.filter(({ name }) => name === 'Deed of Trust')).toHaveLength(1);
		host.sandbox.world.transactions.delete(String(id));
		const elsewhere = ['100 Harbor Street', 'Boston', 'Atlantis', '02110'];
		const refused = await submitForm(host, workflowIds.form, [...person, ...elsewhere, deed]);
		expect(refused.lastPage).toMatch(/The closing wasn(?:'|&#x27;|&#39;)t sent/);
		expect(refused.lastPage).toContain('Atlantis');
	});
	test("the last page of a loan's PDFs says whether they were checked or sent, and if not, why", async () => {
		const notSent = /The closing wasn(?:'|&#x27;|&#39;)t sent/;
		const example = await host.api.workflows.get(workflowIds.papers);
		const { parameters } = example.nodes.find(({ name }) => name === 'Create and send closing')!;
		parameters.then = 'check';
		await host.api.workflows.save(example);
		const checked = await submitPapers('jane.m@example.com');
		expect(checked.lastPage).toMatch(/Nothing is sent yet[^]*Nothing is missing/);
		const differing = await submitPapers('jane.other@example.com');
		expect(differing.lastPage).toMatch(notSent);
		expect(differing.lastPage).toContain('jane.other@example.com');
		parameters.then = 'send';
		await host.api.workflows.save(example);
		const sent = await submitPapers('jane.m@example.com');
		expect(sent.lastPage).toMatch(/The closing was sent<[^]*Sent to: jane\.m@example\.com/);
		const again = await submitPapers('jane.other@example.com');
		expect(again.lastPage).toMatch(/The closing was sent before[^]*Not changed: Email of Jane/);
		const misspelled = await submitPapers('jane.m@example.com', 'Atlantis');
		expect(misspelled.lastPage).toMatch(notSent);
		expect(misspelled.lastPage).toContain('Atlantis');
		const elsewhere = await submitPapers('jane.m@example.com', 'HI');
		expect(elsewhere.lastPage).toMatch(notSent);
		expect(elsewhere.lastPage).toMatch(/This property can.*t be closed online/);
		host.sandbox.world.transactions.clear();
	});
	test('the rows of a CSV file become closings', async () => {
		const rows = [
			'Loan #,Borrower First Name,Borrower Last Name,Borrower E-Mail,Property Address,City,State,Zip',
			'7006001,Ann,Lee,ann@example.com,1 Elm Street,Boston,MA,02110',
			'7006002,Bob,Ray,bob@example.com,2 Elm Street,Springfield,MA,01103',
		];
		const sheet = new File([rows.join('\n')], 'loans.csv', { type: 'text/csv' });
		const execution = await submitForm(host, workflowIds.sheet, [sheet]);
		expect(
			outputJson(execution, 'Create closings').map(({ loan_number: number }) => number),
		).toEqual(['7006001', '7006002']);
		expect(execution.lastPage).toContain('The closings are there');
		expect(execution.lastPage).toMatch(/loan 7006001: created\n.*loan 7006002: created/);
	});
	test('the last page names each row that became no closing, and each that differs', async () => {
		const heading =
			'Loan #,Borrower First Name,Borrower Last Name,Borrower E-Mail,Borrower 2 Email,Property Address,City,State,Zip';
		const rows = [
			'7006001,Ann,Lee,ann@example.com,,1 Elm Street,Boston,MA,02114',
			'7006002,Bob,Ray,bob@example.com,,2 Elm Street,Springfield,MA,01103',
			'7006003,Cy,Fox,,,3 Elm Street,Worcester,MA,01608',
		];
		const sheet = new File([[heading, ...rows].join('\n')], 'loans.csv', { type: 'text/csv' });
		const execution = await submitForm(host, workflowIds.sheet, [sheet]);
		expect(outputJson(execution, 'Read the rows')[0]).toHaveProperty('Borrower 2 Email', '');
		const [, message] = /Not all closings are there[^]*?<p[^>]*>([^]*?)<\/p>/.exec(
			execution.lastPage,
		)!;
		const [first, second, third] = message.split('\n');
		expect(first).toContain('loan 7006001: there before, and it differs from the sheet');
		expect(second).toMatch(/loan 7006002: there before$/);
		expect(third).toMatch(/^Not created: .*Borrower E-?[Mm]ail/);
	});
});

describe('route by status', () => {
	let completed: string;
	beforeAll(async () => await host.api.workflows.publish(workflowIds.route));
	afterAll(async () => await host.api.workflows.unpublish(workflowIds.route));

	test('a sent closing is reported in the chat', async () => {
		await waitForRouting(1, async () => (completed = await sendClosing()));
		expect(chatMessages).toEqual([expect.stringMatching(/: sent to signer$/)]);
		expect(emails).toEqual([]);
	});
	test('a completed closing is archived byte for byte and reported in the chat once', async () => {
		// Two events: completed and released.
		await waitForRouting(2, async () => await host.sandbox.act.complete(completed));
		expect(chatMessages).toEqual([expect.stringMatching(/: complete$/)]);
		expect(emails).toEqual([]);
		expect(
			await checkArchive(host.folder, completed, await requiredFiles(completed)),
		).toMatchObject({
			problems: [],
		});
		expect(archivedNames(completed).length).toBeGreaterThan(3);
	});
	test('a closing that the signer pays for is archived after the payment', async () => {
		let unpaid = '';
		await waitForRouting(1, async () => (unpaid = await sendClosing()));
		host.sandbox.world.transactions.get(unpaid)!.fields.payer = 'signer';
		await waitForRouting(1, async () => await host.sandbox.act.complete(unpaid));
		expect(chatMessages.at(-1)).toMatch(/: awaiting payment$/);
		expect(archivedNames(unpaid)).toEqual([]);
		await waitForRouting(1, async () => await host.sandbox.act.pay(unpaid));
		expect(await checkArchive(host.folder, unpaid, await requiredFiles(unpaid))).toMatchObject({
			problems: [],
		});
	});
	test('a rejected closing is archived and emailed to the team', async () => {
		let rejected = '';
		await waitForRouting(3, async () => {
			rejected = await sendClosing();
			await host.sandbox.act.reject(rejected);
		});
		expect(emails).toHaveLength(1);
		expect(emails[0]).toContain(`To: ${TEAM_MAIL}`);
		expect(emails[0]).toContain('Event: transaction.completed_with_rejections');
		expect(archivedNames(rejected)).toEqual(
			expect.arrayContaining([expect.stringMatching(/Audit trail/)]),
		);
	});
	test('an expired closing is emailed and not archived', async () => {
		let expired = '';
		await waitForRouting(2, async () => {
			expired = await sendClosing();
			await host.sandbox.act.expire(expired);
		});
		expect(emails).toEqual([expect.stringContaining('State: expired')]);
		expect(emails[0]).toMatch(/Signers: \w+ \w+ \(\w+/);
		expect(archivedNames(expired)).toEqual([]);
	});
	test("a file that can't be downloaded is reported in the chat, and the rest is archived", async () => {
		let closing = '';
		await waitForRouting(1, async () => (closing = await sendClosing()));
		// The service never finishes one document, although the closing is completed.
		Object.defineProperty(host.sandbox.world.transactions.get(closing)!.documents[0], 'final', {
			get: () => undefined,
			set: () => undefined,
		});
		// The chat is told twice: when the closing is completed, and when it is released.
		await waitForRouting(2, async () => await host.sandbox.act.complete(closing));
		expect(chatMessages.filter((line) => line.startsWith('Not in the archive yet: '))).toEqual(
			Array.from({ length: 2 }, () => expect.stringContaining(`of ${closing}. `)),
		);
		expect(archivedNames(closing).length).toBeGreaterThan(2);
		host.sandbox.world.transactions.delete(closing);
	});
});

test('needs attention: an email says what to do next', async () => {
	await host.api.workflows.publish(workflowIds.attention);
	try {
		const closing = await sendClosing();
		await host.sandbox.act.expire(closing);
		await host.api.executions.waitForFinished(workflowIds.attention, 1);
		expect(emails).toEqual([expect.stringContaining("What to do: It has ended and can't be")]);
		expect(emails[0]).toMatch(/Subject: .*: expired/);
		host.sandbox.world.transactions.delete(closing);
	} finally {
		await host.api.workflows.unpublish(workflowIds.attention);
	}
});

describe('archive completed transactions', () => {
	beforeAll(async () => await host.api.workflows.publish(workflowIds.archive));
	afterAll(async () => {
		host.sandbox.world.settings.videoLagSeconds = 0;
		await host.api.workflows.unpublish(workflowIds.archive);
	});
	test("a recording that isn't ready makes the execution fail, after everything else has been archived", async () => {
		host.sandbox.world.settings.videoLagSeconds = 3600;
		const closing = await sendClosing();
		await host.sandbox.act.complete(closing);
		const [execution] = await host.api.executions.waitForFinished(workflowIds.archive, 1);
		expect(execution.status).toBe('error');
		expect(failureReason(execution)).toMatch(/recording|video/i);
		const all = await new SandboxConsole(host.sandbox.url).files(closing);
		expect(
			await checkArchive(
				host.folder,
				closing,
				all.filter(({ kind }) => kind !== 'video'),
			),
		).toMatchObject({ problems: [] });
		host.sandbox.world.transactions.delete(closing);
	});
});

test('status changes without a webhook: each is told once', async () => {
	const toldBy = async () => {
		chatMessages.length = 0;
		const run = await host.api.executions.runToEnd(workflowIds.changes);
		expect(failureReason(run)).toBe('');
		return chatMessages.splice(0);
	};
	const closing = await sendClosing();
	expect(await toldBy()).not.toEqual([]);
	expect(await toldBy()).toEqual([]);
	await host.sandbox.act.complete(closing);
	expect(await toldBy()).toEqual([expect.stringMatching(/: complete$/)]);
	expect(await toldBy()).toEqual([]);
	host.sandbox.world.transactions.delete(closing);
});

test('who has not signed: one email names those who are missing, and nobody else', async () => {
	const runDaily = async () => {
		const run = await host.api.executions.runToEnd(workflowIds.unsigned);
		expect(failureReason(run)).toBe('');
		return emails.splice(0);
	};
	expect(await runDaily()).toEqual([]);
	await makeOpenClosings(host.sandbox);
	const [email, ...others] = await runDaily();
	expect(others).toEqual([]);
	expect(email).toContain(`To: ${TEAM_MAIL}`);
	const cells = [...email.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell.trim());
	expect(cells).toEqual(expect.arrayContaining(['Kim Okafor', '0 of 1', 'Sue Garcia', '1 of 2']));
	expect(cells).toContain('Kim Okafor · kim.okafor@example.com');
	// The second one has no expiration, and the cell no "null".
	expect([cells[5], cells[11]].sort()).toEqual(['', 'Dec 1, 2099']);
	expect(email).not.toMatch(/Miller|Joe Garcia/);
	host.sandbox.world.transactions.clear();
});

describe('nightly reconciliation', () => {
	let completed: string;
	/** Runs the workflow. Returns the email that it sends. */
	const runNightly = async () => {
		const run = await host.api.executions.runToEnd(workflowIds.nightly);
		expect(failureReason(run)).toBe('');
		expect(emails).toHaveLength(1);
		return emails.splice(0)[0];
	};
	beforeAll(async () => {
		completed = await sendClosing();
		await host.sandbox.act.complete(completed);
		rmSync(host.folder, { recursive: true });
		mkdirSync(host.folder);
	});

	/** Compares the archive with all files that the service has of the closing. */
	const findProblems = async () => {
		const files = await new SandboxConsole(host.sandbox.url).files(completed);
		return (await checkArchive(host.folder, completed, files)).problems;
	};
	test('an empty archive is filled, and an email says so', async () => {
		const email = await runNightly();
		expect(email).toMatch(/Subject: Archive: \d+ filed late/);
		expect(email).toContain('Still missing: 0');
		expect(await findProblems()).toEqual([]);
	});
	test('a complete archive gets nothing new, and nothing of it is downloaded again', async () => {
		host.sandbox.fileRequests.length = 0;
		host.sandbox.requests.length = 0;
		const email = await runNightly();
		expect(email).toContain('Subject: Archive: complete');
		expect(email).toContain('filed: 0');
		expect(host.sandbox.fileRequests).toEqual([]);
		expect(host.sandbox.requests.filter(({ path }) => path.includes('download_asset'))).toEqual([]);
		expect(await findProblems()).toEqual([]);
	});
	test('a recording that came late is filed, and nothing else', async () => {
		const record = [...host.sandbox.world.records.values()].find(
			({ transactionId }) => transactionId === completed,
		)!;
		const [recording] = archivedNames(completed).filter((name) => name.endsWith('.mp4'));
		// As if it hadn't been there when the closing was archived.
		const manifest = join(host.folder, `${completed} Manifest.json`);
		const list = JSON.parse(readFileSync(manifest, 'utf8')) as { manifest: Array<{ id: string }> };
		list.manifest = list.manifest.filter(({ id }) => id !== record.id);
		writeFileSync(manifest, JSON.stringify(list));
		rmSync(join(host.folder, recording));
		const email = await runNightly();
		expect(email).toContain('Subject: Archive: 1 filed late');
		expect(email).toContain(`- ${recording}`);
		expect(await findProblems()).toEqual([]);
	});
	test('a missing document and a missing audit trail are restored', async () => {
		const names = archivedNames(completed);
		const [trail] = names.filter((name) => name.includes('Audit trail'));
		const [document] = names.filter((name) => name.includes(' do_'));
		for (const name of [trail, document]) rmSync(join(host.folder, name));
		const email = await runNightly();
		expect(email).toContain('Subject: Archive: 2 filed late');
		expect(archivedNames(completed)).toEqual(names);
		expect(await findProblems()).toEqual([]);
	});
	test('a service that refuses the list of closings is named in the email', async () => {
		host.sandbox.faults.add({
			method: 'GET',
			path: '/mortgage/v1/transactions',
			status: 403,
			body: { error: 'Feature is off' },
		});
		const email = await runNightly();
		host.sandbox.faults.clear();
		expect(email).toContain('Subject: Archive: 1 missing');
		expect(email).toMatch(/- The service doesn't allow this/);
	});
	test("a closing or an audit trail that can't be fetched is named", async () => {
		const [trail] = archivedNames(completed).filter((name) => name.includes('Audit trail'));
		rmSync(join(host.folder, trail));
		// First the closing itself can't be read, then only its audit trail, to which there is no link.
		const closing = host.sandbox.world.transactions.get(completed)!;
		await forEachCase([`/transactions/${completed}`, '/assets/audit_trail'], async (path) => {
			const { auditTrail } = closing;
			closing.auditTrail = undefined;
			host.sandbox.faults.add({ method: 'GET', path, status: 403 });
			const email = await runNightly();
			host.sandbox.faults.clear();
			closing.auditTrail = auditTrail;
			expect(email).toContain('Subject: Archive: 1 missing');
			expect(email).toMatch(new RegExp(`Still missing: 1\\s+- ${completed}: .*API key`));
		});
	});
});
