import type { INodeExecutionData } from 'n8n-workflow';

import { fieldsIn, id, pdfItem, toForm } from '../closing.mts';
import type { FaultService } from '../faultService/service.mts';
import type { Platform } from '../faultService/types.mts';
import type { TransactionRecord } from '../faultService/world.mts';
import { chosen, type Scene, type Wanted } from '../faultMatrix/scene.mts';
import { SCENES } from '../faultMatrix/scenes.mts';
import { SIGNER, SSN } from '../faultMatrix/setup.mts';

/** The steps of a drawn workflow, each for all of its transactions. */

export interface Step {
	/** `resource/operation`. */
	name: string;
	platforms: Platform[];
	/** Whether it can be done with a transaction as it is now. */
	fits(transaction: TransactionRecord): boolean;
	/** What a run needs for these transactions. `turn` tells steps of one kind from one another. */
	build(transactions: TransactionRecord[], platform: Platform, turn: number): Promise<Scene>;
}

const isDraft = ({ status }: TransactionRecord) => status === 'started';
const isSent = ({ status }: TransactionRecord) => status.startsWith('sent');
const hasEnote = ({ documents }: TransactionRecord) => documents.some(({ isEnote }) => isEnote);
const markerOf = ({ fields }: TransactionRecord) => String(fields.external_id);

/** A step whose parameters are those of its scene, or others. */
function step(
	name: string,
	fits: Step['fits'],
	effects: (transaction: TransactionRecord, turn: number) => Wanted[],
	parameters: (turn: number) => Scene['parameters'],
	platforms: Platform[] = ['realEstate', 'business'],
): Step {
	return {
		name,
		platforms,
		fits,
		build: async (transactions, platform, turn) => ({
			parameters: {
				platform,
				transactionId: chosen('id'),
				...parameters(turn),
			},
			items: transactions.map((one): INodeExecutionData => ({ json: { id: one.id } })),
			effects: transactions.map((one) => effects(one, turn)),
		}),
	};
}

const done =
	(...kinds: string[]) =>
	(transaction: TransactionRecord) =>
		kinds.map((kind) => ({ kind: `transaction.${kind}`, marker: markerOf(transaction) }));

const ENOTE = {
	source: 'url',
	fileUrl: 'https://example.com/note.xml',
	enoteType: 'ENOTE',
	borrowers: { row: [{ first_name: 'Ann', middle_name: '', last_name: 'Able', ssn: SSN }] },
};

const add: Step = {
	name: 'document/add',
	platforms: ['realEstate', 'business'],
	fits: isDraft,
	async build(transactions, platform, turn) {
		const nameOf = (one: TransactionRecord) => `Deed ${turn} of ${markerOf(one)}`;
		const items: INodeExecutionData[] = [];
		for (const one of transactions)
			items.push(await pdfItem('deed-of-trust', 'deed.pdf', { id: one.id, name: nameOf(one) }));
		return {
			parameters: {
				platform,
				source: 'binary',
				binaryPropertyName: 'data',
				requirement: 'notarization',
				whereToSign: 'json',
				designationsJson: '[]',
				// Each step adds the same file.
				additionalFields: { ifExists: 'add' },
				transactionId: chosen('id'),
				documentName: '={{ $json.name }}',
			},
			items,
			effects: transactions.map((one) => [{ kind: 'document.added', marker: nameOf(one) }]),
		};
	},
};

export const STEPS: Step[] = [
	add,
	step('transaction/update', isDraft, done('updated'), (turn) => ({
		updateFields: { transaction_name: `Renamed ${turn}` },
		settingsNotShown: 'none',
	})),
	step(
		'enote/add',
		(one) => isDraft(one) && !hasEnote(one),
		({ id: marker }) => [{ kind: 'enote.added', marker }],
		() => ENOTE,
		['realEstate'],
	),
	step(
		'enote/delete',
		(one) => isDraft(one) && hasEnote(one),
		({ id: marker }) => [{ kind: 'enote.deleted', marker }],
		() => ({}),
		['realEstate'],
	),
	step('transaction/send', isDraft, done('sent'), () => ({ additionalFields: {} })),
	step('transaction/correctSigner', isSent, done('recalled', 'updated', 'sent'), (turn) => ({
		signerId: id(SIGNER.external_id as string),
		corrections: { first_name: `Anna ${String.fromCharCode(97 + turn)}` },
		sendAgain: true,
		recallReason: '',
		settingsNotShown: 'none',
		additionalFields: {},
	})),
	step('transaction/recall', isSent, done('recalled'), () => ({
		evenIfSent: true,
		recallReason: 'Wrong name',
	})),
	step(
		'transaction/resendEmail',
		isSent,
		(one) => [{ kind: 'email.resent', marker: markerOf(one) }],
		() => ({ messageToSigner: '' }),
	),
];

/** The last step: nothing can follow it. */
export const DELETE = step(
	'transaction/delete',
	() => true,
	done('deleted'),
	() => ({}),
);

/** The first step, as in the matrix, with External IDs, which later steps don't change. */
export async function createStep(service: FaultService, platform: Platform, count: number) {
	const name = platform === 'realEstate' ? 'transaction/createClosing' : 'transaction/create';
	const { parameters, items } = await SCENES[name].build(service, platform, count);
	const fields = toForm({ ...fieldsIn(parameters), external_id: '={{ $json.case }}' });
	const effects = items.map(({ json }) => [
		{ kind: 'transaction.created', marker: String(json.case) },
	]);
	return { name, scene: { parameters: { ...parameters, ...fields }, items, effects } };
}
