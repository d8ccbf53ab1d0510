/** The worker's process: the only place that sees workflows and activities together. */
package io.middleware.engine.worker;
