/** What each process of the engine needs: settings, connections, metrics, health, shutdown. */
package io.middleware.engine.process;
