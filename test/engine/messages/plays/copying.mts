import type { IDataObject } from 'n8n-workflow';

import { businessFile, DEED, withFiles } from '../../../support/createAndSend.mts';
import { id, toForm } from '../../../support/closing.mts';
import { run } from '../../../support/operations.mts';
import { sandbox } from '../../../support/useSandbox.mts';
import type { Person } from '../person.mts';

/** What Transaction: Copy refuses, before anything is written. */

type Play = (person: Person) => Promise<void>;

let count = 0;
const FILES = { 'Deed of Trust.pdf': '%' };
/** A sent transaction with a deed, and the parameters that copy it. */
async function sent() {
	const external_id = `CPY${process.pid}${++count}`;
	const file = businessFile({ documentRules: DEED, then: 'send', ...toForm({ external_id }) });
	const { json } = await run(file, await withFiles(FILES));
	const old = String(json.transaction_id);
	const copying = (more: IDataObject = {}): IDataObject => ({
		resource: 'transaction',
		operation: 'copy',
		platform: 'business',
		transactionId: id(old),
		settingsNotShown: 'none',
		...more,
	});
	sandbox.requests.length = 0;
	return { old, external_id, copying };
}
const isGone = (old: string) => !sandbox.world.transactions.has(old);

export const COPYING: Record<string, Play> = {
	'copy/existing.ts: Leave one of the two out': async (person) => {
		const { old, copying } = await sent();
		await sandbox.act.expire(old);
		await person.fails(copying(), { items: [{ json: {} }, { json: {} }] });
		await person.again('Leave one of the two out', copying());
	},
	'copy/copy.operation.ts: If an earlier run has copied and deleted it, the copy has it': async (
		person,
	) => {
		const { old, external_id, copying } = await sent();
		await sandbox.act.expire(old);
		const parameters = copying({ deleteOld: true });
		await run(parameters);
		await person.fails(parameters);
		const additionalFields = { external_id };
		await person.again("enter that in 'New External ID'", { ...parameters, additionalFields });
	},
	"copy/existing.ts: For what is still to be signed, use 'Transaction: Create and": async (
		person,
	) => {
		const { old, copying } = await sent();
		await sandbox.act.complete(old);
		await person.fails(copying());
		const file = businessFile({
			documentRules: DEED,
			...toForm({ external_id: `CPY${process.pid}${++count}` }),
		});
		await person.does("'Transaction: Create and Send'", file, await withFiles(FILES));
	},
	"copy/existing.ts: Change it with 'Transaction: Update', 'Transaction: Replace ": async (
		person,
	) => {
		const { old, copying } = await sent();
		await person.fails(copying());
		await person.again("turn on 'Delete the Old One'", copying({ deleteOld: true }));
		expect(isGone(old)).toBe(true);
	},
	'copy/existing.ts: Copy it once it has expired, or was declined or canceled. Fo': async (
		person,
	) => {
		const { old, copying } = await sent();
		sandbox.world.transactions.get(old)!.signers[0].signing_status = 'complete';
		await person.fails(copying());
		await sandbox.act.expire(old);
		await person.again('Copy it once it has expired', copying());
	},
	"copy/existing.ts: Copy it with '": async (person) => {
		const { old, copying } = await sent();
		sandbox.world.transactions.get(old)!.signers[0].signing_status = 'complete';
		await sandbox.act.expire(old);
		await person.fails(copying({ deleteOld: true }));
		await person.again("Copy it with 'Delete the Old One' off", copying());
	},
	'copy/existing.ts: Nothing was created. Enter another one, or leave it empty': async (person) => {
		const { old, external_id, copying } = await sent();
		const more = { deleteOld: true };
		await person.fails(copying({ ...more, additionalFields: { external_id } }));
		await person.again('leave it empty', copying(more));
		expect(isGone(old)).toBe(true);
	},
	'copy/copy.operation.ts: Nothing was created or deleted. Not copied: ': async (person) => {
		const { old, copying } = await sent();
		for (const { flags } of sandbox.world.transactions.get(old)!.documents)
			delete flags.tracking_id;
		await person.fails(copying({ deleteOld: true }));
		const more = { deleteOld: true, copyFilesUnproven: true };
		await person.again("turn on 'Copy Files Unproven'", copying(more));
		expect(isGone(old)).toBe(true);
	},
};
