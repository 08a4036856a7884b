import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../sandbox/data/samples.mts';
import { businessFile, closingFile, DEED } from '../support/createAndSend.mts';
import { storeFile, useBinaryMode } from '../support/engine.mts';
import { perform, startService } from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Platform } from '../support/faultService/types.mts';
import { toForm } from '../support/closing.mts';

/**
 * A file that is brought to a sent transaction in five writes, each of which is refused, or done without
 * an answer. Run again by an execution that knows nothing of it, there is one transaction with each
 * document once, and it's sent once. The service's ledger judges.
 */

await useBinaryMode('filesystem');

const OPERATION = 'transaction/createAndSend';
const REFUSED = findFault('http:status-422/before');
const CUT = findFault('network:reset-before-headers/after');
const DOWN = findFault('http:status-503-retry-in-10-years/before');
const LIMITS = { lookUpMs: 50, absentAfterMs: 50, lookUpPauseMs: 10 };
const NOTE = '<?xml version="1.0"?><SMART_DOCUMENT></SMART_DOCUMENT>';
const ENOTE = { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'note' } };
const EFFECTS = {
	realEstate: [
		'transaction.created',
		'document.added',
		'document.added',
		'enote.added',
		'transaction.sent',
	],
	business: ['transaction.created', 'document.added', 'document.added', 'transaction.sent'],
};

async function item(): Promise<INodeExecutionData> {
	const deed = (await samplePdf('deed-of-trust'))!;
	const pdf = async (name: string, more: string) =>
		await storeFile(Buffer.concat([deed, Buffer.from(more)]), name, 'application/pdf');
	return {
		json: {},
		binary: {
			// The same content twice is two documents.
			first: await pdf('Deed of Trust.pdf', '%'),
			second: await pdf('Deed of Trust 2.pdf', '%'),
			note: await storeFile(Buffer.from(NOTE), 'note.xml', 'application/xml'),
		},
	};
}

const PARAMETERS: Record<Platform, IDataObject> = {
	realEstate: closingFile({
		documentRules: DEED,
		then: 'send',
		...toForm({ loan_number: '7001', enote: ENOTE }),
	}),
	business: businessFile({
		documentRules: DEED,
		then: 'send',
		...toForm({ external_id: 'case-7001' }),
	}),
};

/** Strikes one write of the next run, by its number from 0. */
function strike(service: FaultService, number: number, blow: 'refused' | 'lost', isDown: boolean) {
	const isWrite = ({ write }: { write: boolean }) => write;
	const struck = service.inject({
		fault: { ...(blow === 'lost' ? CUT : REFUSED), appliesTo: isWrite },
		after: number,
	});
	if (isDown)
		service.inject({
			fault: { ...DOWN, appliesTo: ({ write }) => !write && struck.struck > 0 },
			times: Infinity,
		});
	return struck;
}

const cells = (['realEstate', 'business'] as const).flatMap((platform) =>
	EFFECTS[platform].flatMap((kind, number) =>
		(['refused', 'lost'] as const).map((blow) => ({ platform, kind, number, blow })),
	),
);

test.each(cells)('$platform: write $number ($kind) is $blow, and run again', async (cell) => {
	const { platform, number, blow } = cell;
	const service = await startService();
	try {
		const scene = { parameters: PARAMETERS[platform], items: [await item()] };
		const struck = strike(service, number, blow, true);
		const stopped = await perform(service, OPERATION, scene, { limits: LIMITS });
		expect([stopped.error !== undefined, struck.struck]).toEqual([true, 1]);
		service.clearFaults();
		const again = await perform(service, OPERATION, { ...scene, items: [await item()] });
		expect(again.error).toBeUndefined();
		expect(service.effects.map(({ kind }) => kind).sort()).toEqual([...EFFECTS[platform]].sort());
		expect(service.problems).toEqual([]);
	} finally {
		await service.close();
	}
});

test.each(cells)('$platform: write $number ($kind) is $blow, and tried again', async (cell) => {
	const { platform, number, blow } = cell;
	const service = await startService();
	try {
		const scene = { parameters: PARAMETERS[platform], items: [await item()] };
		strike(service, number, blow, false);
		const { error } = await perform(service, OPERATION, scene, { limits: LIMITS, tries: 2 });
		expect(error).toBeUndefined();
		expect(service.effects.map(({ kind }) => kind).sort()).toEqual([...EFFECTS[platform]].sort());
		expect(service.problems).toEqual([]);
	} finally {
		await service.close();
	}
});

test('a document of a draft that was there is looked up by the next try', async () => {
	const service = await startService();
	try {
		const both = await item();
		const { first } = both.binary!;
		const parameters = PARAMETERS.business;
		const draft = {
			parameters: { ...parameters, then: 'draft' },
			items: [{ json: {}, binary: { first } }],
		};
		expect((await perform(service, OPERATION, draft)).error).toBeUndefined();
		const struck = service.inject({ fault: { ...CUT, appliesTo: ({ write }) => write } });
		// Its look-up ends at once, without knowing anything.
		const isLook = ({ write }: { write: boolean }) => !write && struck.struck > 0;
		const looked = service.inject({ fault: { ...REFUSED, appliesTo: isLook } });
		const again = { parameters, items: [both] };
		const { error } = await perform(service, OPERATION, again, { limits: LIMITS, tries: 2 });
		expect([error, looked.struck]).toEqual([undefined, 1]);
		expect(service.effects.map(({ kind }) => kind)).toEqual(EFFECTS.business);
	} finally {
		await service.close();
	}
});

describe('a document that is replaced', () => {
	const EFFECTS_OF_BOTH = [
		'transaction.created',
		'document.added',
		'document.added',
		'document.deleted',
	];
	const withDeed = async (more: string) => {
		const bytes = Buffer.concat([(await samplePdf('deed-of-trust'))!, Buffer.from(more)]);
		const deed = await storeFile(bytes, 'Deed of Trust.pdf', 'application/pdf');
		const fields = toForm({ external_id: 'case-7001', ifItDiffers: 'update' });
		return {
			parameters: { ...PARAMETERS.business, then: 'draft', ...fields },
			items: [{ json: {}, binary: { deed } }],
		};
	};
	const cellsOfBoth = [0, 1].flatMap((number) =>
		(['refused', 'lost'] as const).map((blow) => ({ number, blow })),
	);
	let service: FaultService;
	beforeEach(async () => {
		service = await startService();
		expect((await perform(service, OPERATION, await withDeed('%1'))).error).toBeUndefined();
	});
	afterEach(async () => {
		expect(service.effects.map(({ kind }) => kind)).toEqual(EFFECTS_OF_BOTH);
		await service.close();
	});
	test.each(cellsOfBoth)('write $number is $blow, and run again', async ({ number, blow }) => {
		strike(service, number, blow, true);
		const stopped = await perform(service, OPERATION, await withDeed('%2'), { limits: LIMITS });
		expect(stopped.error).toBeDefined();
		service.clearFaults();
		expect((await perform(service, OPERATION, await withDeed('%2'))).error).toBeUndefined();
	});
	test.each(cellsOfBoth)('write $number is $blow, and tried again', async ({ number, blow }) => {
		const struck = strike(service, number, blow, false);
		// Its look-up ends at once, without knowing anything.
		const isLook = ({ write }: { write: boolean }) => !write && struck.struck > 0;
		if (blow === 'lost') service.inject({ fault: { ...REFUSED, appliesTo: isLook } });
		const more = { limits: LIMITS, tries: 2 };
		expect((await perform(service, OPERATION, await withDeed('%2'), more)).error).toBeUndefined();
	});
});
