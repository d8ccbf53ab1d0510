/** The log of every process: one JSON object per line. */
package io.middleware.engine.log;
