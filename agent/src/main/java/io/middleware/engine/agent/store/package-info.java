/**
 * Where backups are kept: a folder on a volume, or a bucket of an S3 service; how copies are
 * written and read there.
 */
package io.middleware.engine.agent.store;
