import { Refusal } from '../domain/refusal.mts';
import { recordView } from './answers.mts';
import { maySee, type World } from '../state/world.mts';
import { page, recordOf, type OperationHandler } from './request.mts';

const RECORD_LIMIT = 20;

/**
 * Notarization records (interface.md §4, Retrieve Meeting Record, Download meeting video; gaps.md
 * §7).
 */
export function recordOperations(world: World): Record<string, OperationHandler> {
	const get: OperationHandler = (request) =>
		recordView(world, recordOf(world, request), request.layout);
	const video: OperationHandler = (request) => {
		const { video: bytes } = recordOf(world, request);
		// The recording can lag the meeting (gaps.md §7).
		if (bytes === undefined) throw new Refusal(409, 'The recording is not ready');
		return request.reply
			.type('video/mp4')
			.header('content-disposition', 'attachment; filename="generic_video_session.mp4"')
			.send(bytes);
	};
	return {
		listRecords: (request) => {
			const own = [...world.records.values()].filter(({ transactionId }) => {
				const transaction = world.transactions.get(transactionId);
				return transaction !== undefined && maySee(world, request.key, transaction.organization);
			});
			return {
				records: page(own.reverse(), request.query, RECORD_LIMIT).map((record) =>
					recordView(world, record, request.layout),
				),
			};
		},
		getRecord: get,
		getClosingRecord: get,
		getVideo: video,
		getAsset: video,
	};
}
