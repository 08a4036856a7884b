/**
 * The operations on notarization records (docs/service/notarization.md#notarization-record,
 * docs/service/notarization.md#meeting-video).
 */

import { findRecord } from './findRequested.mts';
import { linkVersion, type OperationHandler } from './handler.mts';
import { page } from './page.mts';
import { recordView } from './views/records.mts';
import { canSee } from '../domain/access.mts';
import { Refusal } from '../domain/refusal.mts';
import type { Platform, World } from '../world/world.mts';

const RECORD_LIMIT = 20;

export function recordOperations(world: World): Record<string, OperationHandler> {
	const get =
		(platform: Platform): OperationHandler =>
		(request) =>
			recordView(world, findRecord(world, request), { platform, links: linkVersion(request) });
	const video: OperationHandler = (request) => {
		const { video: bytes } = findRecord(world, request);
		// The recording can lag the meeting.
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
				return transaction !== undefined && canSee(world, request.key, transaction.organization);
			});
			return {
				records: page(own.reverse(), request.query, RECORD_LIMIT).map((record) =>
					recordView(world, record, { platform: 'business', links: linkVersion(request) }),
				),
			};
		},
		getRecord: get('business'),
		getClosingRecord: get('realEstate'),
		getVideo: video,
		getAsset: video,
	};
}
