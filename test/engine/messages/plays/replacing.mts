import { withFiles } from '../../../support/createAndSend.mts';
import { transaction } from '../../../support/operations.mts';
import { makeTransaction, NEW_NOTE, replacing } from '../../transaction/replaceDocuments/scene.mts';
import type { Person } from '../person.mts';

/** What Transaction: Replace Documents refuses in its own words. */

type Play = (person: Person) => Promise<void>;

export const REPLACING: Record<string, Play> = {
	'replaceDocuments/refusals.ts: Nothing was changed': async (person) => {
		const id = await makeTransaction();
		const files = await withFiles(NEW_NOTE);
		await person.fails(replacing(id, { recalls: false }), files);
		await person.again("turn on 'Recall from Signers'", replacing(id), files);
		expect(transaction(id).status).toBe('sent');
	},
	'replaceDocuments/item.ts: Put all of its files into one item': async (person) => {
		const id = await makeTransaction();
		const both = await withFiles(NEW_NOTE);
		const [{ binary }] = both.items;
		const items = Object.values(binary!).map((file) => ({ json: {}, binary: { file } }));
		const plan = replacing(id, { then: 'plan' });
		await person.fails(plan, { items });
		await person.again('Put all of its files into one item', plan, both);
	},
};
