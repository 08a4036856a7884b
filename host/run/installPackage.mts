import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import type { N8nClient } from '../clients/n8n/client.mts';
import { PACKAGE_NAME } from '../clients/n8n/names.mts';
import { FAKE_NPM_FOLDER } from './folders.mts';

/**
 * Installs the package the way a user does, with n8n's own installer. Updates it when the tarball
 * has changed since the last time, and does nothing when it hasn't.
 */
export async function installPackage(
	api: N8nClient,
	tarball: string,
	userFolder: string,
): Promise<void> {
	const stamp = join(userFolder, 'installed.sha256');
	const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	const installed = (await api.packages.list()).find(
		({ packageName }) => packageName === PACKAGE_NAME,
	);
	if (
		installed !== undefined &&
		installed.failedLoading !== true &&
		existsSync(stamp) &&
		readFileSync(stamp, 'utf8') === digest
	)
		return;
	const version = versionOf(tarball);
	if (installed === undefined) await api.packages.install(PACKAGE_NAME, version);
	else await api.packages.update(PACKAGE_NAME, version);
	writeFileSync(stamp, digest);
}

/** What run/path/npm needs in order to stand in for the registry. */
export function installerEnvironment(tarball: string): Record<string, string> {
	return {
		SIGN_AND_CLOSE_TARBALL: tarball,
		SIGN_AND_CLOSE_VERSION: versionOf(tarball),
		SIGN_AND_CLOSE_NPM: findRealNpm(),
		npm_config_update_notifier: 'false',
	};
}

function findRealNpm(): string {
	const npm = (process.env.PATH ?? '')
		.split(delimiter)
		.map((folder) => join(folder, 'npm'))
		.find((file) => file !== join(FAKE_NPM_FOLDER, 'npm') && existsSync(file));
	if (npm === undefined) throw new Error('npm is not on the PATH');
	return npm;
}

function versionOf(tarball: string): string {
	return (
		JSON.parse(
			execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
		) as { version: string }
	).version;
}
