#pragma once
#include <microhttpd.h>
#include <sys/eventfd.h>

/// The parameters of `webimage_start_origin`. Key and certificate are PEM, or both NULL for plain HTTP.
struct webimage_origin {
    void *context;
    MHD_AccessHandlerCallback answer;
    MHD_RequestCompletedCallback ended;
    MHD_NotifyConnectionCallback connected;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    const char *key;
    const char *certificate;
    /// The authority of client certificates, which are requested but not required; NULL requests none.
    const char *client_authority;
};

/// Starts a server at `address`, with one thread per connection. Swift cannot call the variadic original.
static inline struct MHD_Daemon *
webimage_start_origin(const struct sockaddr *address, const struct webimage_origin *origin) {
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)origin->key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)origin->certificate},
        {MHD_OPTION_HTTPS_MEM_TRUST, 0, (void *)origin->client_authority},
        {MHD_OPTION_END, 0, NULL},
    };
    if (origin->client_authority == NULL) tls[2].option = MHD_OPTION_END;
    if (origin->key == NULL) tls[0].option = MHD_OPTION_END;
    else flags |= MHD_USE_TLS;
    return MHD_start_daemon(flags, 0, NULL, NULL, origin->answer, origin->context,
                            MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_NOTIFY_COMPLETED, origin->ended, origin->context,
                            MHD_OPTION_NOTIFY_CONNECTION, origin->connected, origin->context,
                            MHD_OPTION_URI_LOG_CALLBACK, origin->target, origin->context,
                            MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
                            MHD_OPTION_CONNECTION_LIMIT, 4096u,
                            MHD_OPTION_ARRAY, tls,
                            MHD_OPTION_END);
}

static inline unsigned webimage_origin_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/// The connection's socket, or -1.
static inline int webimage_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The pointer that the `connected` callback has stored for the connection.
static inline void *webimage_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Ends the response by closing the connection instead of by a length, as HTTP/1.0 servers do.
static inline enum MHD_Result webimage_end_by_closing(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// The parameters of `webimage_start_service`.
struct webimage_service {
    void *context;
    MHD_AccessHandlerCallback answer;
    MHD_RequestCompletedCallback ended;
    MHD_NotifyConnectionCallback connected;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    /// A socket that listens, which the daemon closes.
    int listener;
    unsigned threads;
    unsigned connections;
    unsigned connections_per_address;
    /// For a connection without any byte; 0 for none.
    unsigned idle_seconds;
};

/// Starts a server with a few threads (epoll), whose requests can wait without one.
static inline struct MHD_Daemon *webimage_start_service(const struct webimage_service *service) {
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)service->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    // A pool of one thread is refused.
    if (service->threads < 2) pool[0].option = MHD_OPTION_END;
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                            service->answer, service->context,
                            MHD_OPTION_LISTEN_SOCKET, (MHD_socket)service->listener,
                            MHD_OPTION_NOTIFY_COMPLETED, service->ended, service->context,
                            MHD_OPTION_NOTIFY_CONNECTION, service->connected, service->context,
                            MHD_OPTION_URI_LOG_CALLBACK, service->target, service->context,
                            MHD_OPTION_CONNECTION_LIMIT, service->connections,
                            MHD_OPTION_PER_IP_CONNECTION_LIMIT, service->connections_per_address,
                            MHD_OPTION_CONNECTION_TIMEOUT, service->idle_seconds,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_ARRAY, pool,
                            MHD_OPTION_END);
}

/// The address of the client, or NULL.
static inline const struct sockaddr *webimage_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}
