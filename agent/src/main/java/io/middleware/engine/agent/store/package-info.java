/** Where backups are kept: a folder on a volume, or a bucket of an S3 service. */
package io.middleware.engine.agent.store;
